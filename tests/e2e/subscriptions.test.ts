import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Message } from '../support/message.js';
import { answersTo, started } from '../support/started.js';
import type { TestClient, Version } from '../support/test-client.js';

const ID = 'io.modelcontextprotocol/subscriptionId';

const isAbout = (uri: string) => (message: Message) =>
  message.method === 'notifications/resources/updated' && message.params.uri === uri;

const isAcknowledged = (id: string | number) => (message: Message) =>
  message.method === 'notifications/subscriptions/acknowledged' && message.params._meta[ID] === id;

/** Begins to listen; the answer comes when it ends. */
async function listen(client: TestClient, notifications: object, id: string | number) {
  const ended = client.request('subscriptions/listen', { notifications }, id);
  const acknowledged = await client.next(isAcknowledged(id));
  return { ended, acknowledged };
}

/** How long the message takes after the change was answered. */
async function millisecondsUntil(client: TestClient, matches: (message: Message) => boolean, change: Promise<unknown>) {
  await change;
  const from = performance.now();
  await client.next(matches);
  return performance.now() - from;
}

const heard = ({ messages }: TestClient, method: string) =>
  messages.filter((message) => message.method === `notifications/${method}`);

interface EraCase {
  readonly version: Version;
  readonly watch: (client: TestClient, uris: readonly string[]) => Promise<unknown>;
  readonly stop: (client: TestClient, uri: string) => Promise<unknown>;
  readonly listenToTools: (client: TestClient) => Promise<unknown>;
  readonly tag: object;
}

const ERAS: Record<string, EraCase> = {
  handshake: {
    version: '2025-11-25',
    watch: async (client, uris) => {
      for (const uri of uris) expect((await client.request('resources/subscribe', { uri })).result).toEqual({});
    },
    stop: (client, uri) => client.request('resources/unsubscribe', { uri }),
    listenToTools: async () => {},
    tag: {},
  },
  stateless: {
    version: '2026-07-28',
    watch: (client, uris) => listen(client, { resourceSubscriptions: uris }, 'watch'),
    stop: async (client) => {
      client.notify('notifications/cancelled', { requestId: 'watch' });
      await client.request('tools/list');
    },
    listenToTools: (client) => listen(client, { toolsListChanged: true }, 'watch'),
    tag: { _meta: { [ID]: 'watch' } },
  },
};

describe.each(Object.entries(ERAS))('in the %s era', (_era, { version, watch, stop, listenToTools, tag }) => {
  const CHANGES: [string, string, Record<string, unknown>][] = [
    ['memory://entries/notes/plan', 'memory_store', { namespace: 'notes', key: 'plan', value: 1 }],
    ['memory://entries/plan', 'memory_store', { key: 'plan', value: 1 }],
    ['memory://entries', 'memory_store', { key: 'other', value: 1 }],
    ['sessions://active', 'session_create', { initiator: 'lead', task: 'plan' }],
    ['traces://recent', 'memory_list', {}],
  ];

  test('a change here or in another process is announced within a second', async () => {
    const client = await started({ version });
    const other = await started({ home: client.home });
    for (const [uri, tool, input] of CHANGES) {
      await watch(client, [uri]);
      for (const from of [client, other]) {
        client.messages.length = 0;
        expect(await millisecondsUntil(client, isAbout(uri), from.data(tool, input)), uri).toBeLessThan(1000);
        expect(client.messages.find(isAbout(uri))?.params).toEqual({ uri, ...tag });
      }
      await stop(client, uri);
      client.messages.length = 0;
    }
  });

  test('nothing is announced that did not change, nor after the end of the subscription', async () => {
    const client = await started({ version });
    const other = await started({ home: client.home });
    await watch(client, ['memory://entries/a']);
    await Promise.all([
      other.data('memory_store', { key: 'b', value: 1 }),
      client.data('memory_retrieve', { key: 'a' }),
    ]);
    await sleep(700);
    expect(heard(client, 'resources/updated')).toEqual([]);
    await other.data('memory_store', { key: 'a', value: 1 });
    await client.next(isAbout('memory://entries/a'));
    await stop(client, 'memory://entries/a');
    await Promise.all([client, other].map((from) => from.data('memory_store', { key: 'a', value: 2 })));
    await sleep(700);
    expect(heard(client, 'resources/updated')).toHaveLength(1);
  });

  test('a key that does not exist yet can be watched; it is announced when it comes and when it goes', async () => {
    const client = await started({ version });
    const uri = 'memory://entries/not-yet';
    await watch(client, [uri]);
    await client.data('memory_store', { key: 'not-yet', value: 1 });
    await client.next(isAbout(uri));
    client.messages.length = 0;
    await client.data('memory_delete', { key: 'not-yet' });
    await client.next(isAbout(uri));
  });

  test('tools that are added and removed are announced, listed and called', async () => {
    const client = await started({ version, program: 'fixture' });
    await listenToTools(client);
    const names = async () =>
      (await client.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);
    const isChanged = ({ method }: Message) => method === 'notifications/tools/list_changed';
    expect(await names()).not.toContain('test_late');
    await client.data('test_add_tool', { name: 'test_late' });
    expect((await client.next(isChanged)).params).toEqual(tag);
    expect(await names()).toContain('test_late');
    expect(await client.data('test_late')).toEqual({ name: 'test_late' });
    client.messages.length = 0;
    await client.data('test_remove_tool', { name: 'test_late' });
    await client.next(isChanged);
    expect(await names()).not.toContain('test_late');
    await expect(client.call('test_late')).rejects.toThrow('-32602');
  });
});

describe('subscribing in the handshake era', () => {
  test('the 1,001st resource is refused until one is given up', async () => {
    const client = await started();
    const subscribe = (index: number) => client.request('resources/subscribe', { uri: `memory://entries/${index}` });
    const answers: Message[] = [];
    for (let from = 0; from < 1000; from += 200) {
      answers.push(...(await Promise.all(Array.from({ length: 200 }, (_, index) => subscribe(from + index)))));
    }
    expect(answers.filter(({ error }) => error)).toEqual([]);
    expect((await subscribe(1000)).error).toMatchObject({
      code: -32000,
      data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
    });
    await client.request('resources/unsubscribe', { uri: 'memory://entries/7' });
    expect((await subscribe(1000)).result).toEqual({});
    await client.data('memory_store', { key: '1000', value: 1 });
    await client.next(isAbout('memory://entries/1000'));
  });

  test.each(['nothing://at/all', 'memory://elsewhere/a/b/c', 'not a uri', ''])(
    '%j is no resource that there could be',
    async (uri) => {
      const client = await started();
      expect((await client.request('resources/subscribe', { uri })).error).toMatchObject({
        code: -32002,
        data: { uri },
      });
    },
  );

  test('what other clients subscribed to is not told', async () => {
    const [client, quiet] = [await started(), await started()];
    await client.request('resources/subscribe', { uri: 'memory://entries' });
    await client.data('memory_store', { key: 'a', value: 1 });
    await client.next(isAbout('memory://entries'));
    await sleep(300);
    expect(quiet.messages.filter(({ method }) => method)).toEqual([]);
  });
});

describe('listening in the stateless era', () => {
  const start = () => started({ version: '2026-07-28' });

  test('two listens of one connection hear what each asked for, under their own ids', async () => {
    const client = await start();
    const first = await listen(client, { resourceSubscriptions: ['memory://entries/a', 'memory://entries/both'] }, 900);
    const second = await listen(client, { resourceSubscriptions: ['memory://entries/both', 'nothing://here'] }, 'two');
    expect(first.acknowledged.params.notifications.resourceSubscriptions).toHaveLength(2);
    expect(second.acknowledged.params).toEqual({
      _meta: { [ID]: 'two' },
      notifications: { resourceSubscriptions: ['memory://entries/both'] },
    });
    for (const key of ['a', 'both']) await client.data('memory_store', { key, value: 1 });
    await sleep(700);
    const told = heard(client, 'resources/updated').map(({ params }) => [params._meta[ID], params.uri]);
    expect(told.sort()).toEqual([
      [900, 'memory://entries/a'],
      [900, 'memory://entries/both'],
      ['two', 'memory://entries/both'],
    ]);
  });

  test('a cancelled listen is not answered, and its id is free again', async () => {
    const client = await start();
    await listen(client, { toolsListChanged: true }, 'again');
    client.notify('notifications/cancelled', { requestId: 'again' });
    client.messages.length = 0;
    const { acknowledged } = await listen(client, { promptsListChanged: true }, 'again');
    expect(acknowledged.params.notifications).toEqual({ promptsListChanged: true });
    expect(answersTo(client, 'again')).toEqual([]);
  });

  test.each(['SIGTERM', 'the end of input'])('%s answers what is open, and the server ends', async (way) => {
    const client = await start();
    const listens = [await listen(client, { toolsListChanged: true }, 1), await listen(client, {}, 'two')];
    const askedAt = performance.now();
    if (way === 'SIGTERM') client.process.kill('SIGTERM');
    else client.process.stdin.end();
    for (const { ended } of listens) {
      const { id, result } = await ended;
      expect(result).toMatchObject({ resultType: 'complete', _meta: { [ID]: id } });
    }
    expect(await client.exited()).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(1000);
    expect(client.stderr).toBe('');
  });

  test('1,001 resources are refused', async () => {
    const client = await start();
    const uris = Array.from({ length: 1001 }, (_, index) => `memory://entries/${index}`);
    const { error } = await client.request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    expect(error).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } });
  });
});
