import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { served } from '../../../../../tests/support/served.js';
import type { ResourceSource } from '../../resources/resource.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ID = 'io.modelcontextprotocol/subscriptionId';

/** A server with one more scheme of resources, that the test changes. */
function changing() {
  const stamps = new Map<string, number>();
  const source: ResourceSource = {
    resources: [],
    templates: [],
    read: async () => undefined,
    stamp: (uri) => (uri.startsWith('test:') ? Promise.resolve(`${stamps.get(uri)}`) : undefined),
  };
  const client = served({ extra: { resources: [source] } });
  const change = (uri: string) => void stamps.set(uri, (stamps.get(uri) ?? 0) + 1);
  const told = (method: string) => client.messages.filter((message) => message.method === `notifications/${method}`);
  const opened = async (version?: string) => {
    await client.open(version);
    client.notify('notifications/initialized');
  };
  const listen = (notifications: unknown, id: string | number = 'l-1') => {
    const ended = client.request('subscriptions/listen', { notifications, _meta: META }, id);
    const acknowledged = client.until(
      ({ method, params }) => method === 'notifications/subscriptions/acknowledged' && params._meta[ID] === id,
    );
    return { ended, acknowledged };
  };
  return { ...client, change, told, opened, listen };
}

const ticks = () => sleep(600);

test('a handshake client hears of the resource that it subscribed to, until it unsubscribes', async () => {
  const { opened, request, change, until, told } = changing();
  await opened();
  expect((await request('resources/subscribe', { uri: 'test:a' })).result).toEqual({});
  change('test:a');
  change('test:b');
  const { params } = await until(({ method }) => method === 'notifications/resources/updated');
  expect(params).toEqual({ uri: 'test:a' });
  expect((await request('resources/unsubscribe', { uri: 'test:a' })).result).toEqual({});
  change('test:a');
  await ticks();
  expect(told('resources/updated')).toHaveLength(1);
});

test('what was subscribed to before the client said that it is initialized is told after it did', async () => {
  const { open, request, notify, change, until, told, server } = changing();
  await open();
  await request('resources/subscribe', { uri: 'test:a' });
  change('test:a');
  server.catalog.remove(['memory_list']);
  await ticks();
  expect([...told('resources/updated'), ...told('tools/list_changed')]).toEqual([]);
  notify('notifications/initialized');
  expect((await until(({ method }) => method === 'notifications/resources/updated')).params).toEqual({ uri: 'test:a' });
});

test('a URI that nothing could ever have is no resource', async () => {
  const { opened, request } = changing();
  await opened();
  expect((await request('resources/subscribe', { uri: 'nothing://here' })).error).toMatchObject({
    code: -32002,
    data: { uri: 'nothing://here' },
  });
  for (const params of [{}, { uri: 1 }, { uri: 'x'.repeat(10_001) }]) {
    expect((await request('resources/subscribe', params)).error?.code).toBe(-32602);
  }
});

test('each era has its own methods', async () => {
  const { opened, request } = changing();
  await opened();
  expect((await request('subscriptions/listen', { notifications: {} })).error?.code).toBe(-32601);
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    expect((await request(method, { uri: 'test:a', _meta: META })).error?.code).toBe(-32601);
  }
});

test('listen acknowledges first, with what it honours', async () => {
  const { listen, change, until, told } = changing();
  const filter = {
    toolsListChanged: true,
    promptsListChanged: false,
    resourceSubscriptions: ['test:a', 'nothing://here', 'test:a'],
    somethingElse: ['x'],
  };
  const { acknowledged } = listen(filter, 7);
  change('test:a');
  expect((await acknowledged).params).toEqual({
    _meta: { [ID]: 7 },
    notifications: { toolsListChanged: true, resourceSubscriptions: ['test:a'] },
  });
  change('test:a');
  const updated = await until(({ method }) => method === 'notifications/resources/updated');
  expect(updated.params).toEqual({ uri: 'test:a', _meta: { [ID]: 7 } });
  expect(told('resources/updated')).toHaveLength(1);
});

test.each([
  ['no filter', undefined],
  ['a filter that is a list', []],
  ['a kind that is no boolean', { toolsListChanged: 'yes' }],
  ['URIs that are no list', { resourceSubscriptions: 'test:a' }],
  ['URIs that are no strings', { resourceSubscriptions: [1] }],
])('%s is refused with -32602', async (_what, notifications) => {
  const { listen } = changing();
  expect((await listen(notifications).ended).error?.code).toBe(-32602);
});

test('a client hears only of the lists that it asked for', async () => {
  const { listen, server, until, told } = changing();
  const tools = listen({ toolsListChanged: true }, 'tools');
  const rest = listen({ promptsListChanged: true, resourcesListChanged: true }, 'rest');
  await Promise.all([tools.acknowledged, rest.acknowledged]);
  server.catalog.remove(['memory_list']);
  server.catalog.remove(['memory_list', 'memory_search']);
  const { params } = await until(({ method }) => method === 'notifications/tools/list_changed');
  expect(params).toEqual({ _meta: { [ID]: 'tools' } });
  await ticks();
  expect(told('tools/list_changed')).toHaveLength(1);
});

test('removing what is not there changes nothing', async () => {
  const { listen, server, told } = changing();
  await listen({ toolsListChanged: true }).acknowledged;
  server.catalog.remove(['no_such_tool']);
  await ticks();
  expect(told('tools/list_changed')).toEqual([]);
});

test('a cancelled listen is not answered and hears nothing more; its id is free again', async () => {
  const { listen, notify, change, messages, told } = changing();
  await listen({ resourceSubscriptions: ['test:a'] }, 1).acknowledged;
  notify('notifications/cancelled', { requestId: 1 });
  const second = listen({ resourceSubscriptions: ['test:b'] }, 1);
  change('test:a');
  await second.acknowledged;
  await ticks();
  expect(told('resources/updated')).toEqual([]);
  expect(messages.filter(({ id }) => id === 1)).toEqual([]);
});

test('the end of the connection answers each listen', async () => {
  const { listen, close, closed } = changing();
  const listens = ['one', 2].map((id) => listen({ toolsListChanged: true }, id));
  await Promise.all(listens.map(({ acknowledged }) => acknowledged));
  close();
  await closed;
  for (const { ended } of listens) {
    const { id, result } = await ended;
    expect(result).toMatchObject({ resultType: 'complete', _meta: { [ID]: id } });
  }
});

test('1,001 resources are refused before anything is acknowledged', async () => {
  const { listen, told } = changing();
  const uris = Array.from({ length: 1001 }, (_, index) => `test:${index}`);
  expect((await listen({ resourceSubscriptions: uris }, 1).ended).error).toMatchObject({
    code: -32000,
    data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
  });
  expect(told('subscriptions/acknowledged')).toEqual([]);
  await listen({ resourceSubscriptions: uris.slice(1) }, 2).acknowledged;
});
