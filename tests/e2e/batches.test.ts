import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../support/message.js';
import { started } from '../support/started.js';
import { TestClient, type Version } from '../support/test-client.js';

const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('2025-03-26', () => {
  let client: TestClient;
  /** Lines as they came: the client takes arrays apart. */
  let lines: unknown[] = [];
  let rest = '';

  beforeAll(async () => {
    client = await TestClient.start({ version: '2025-03-26', program: 'fixture' });
    client.process.stdout.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line)));
    });
  });
  beforeEach(() => {
    lines = [];
    client.messages.length = 0;
  });
  afterAll(() => client.kill());

  /** What has come until a ping that was sent now is answered. */
  const heard = async () => {
    const { id } = await client.request('ping');
    return lines.filter((line) => (line as Message).id !== id);
  };

  test('a batch of requests is answered with one array of all answers', async () => {
    const call = { name: 'test_wait', arguments: { ms: 50 } };
    client.send([ping('a'), { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: call }, ping('c')]);
    await client.answerTo('b');
    expect(lines).toHaveLength(1);
    expect((lines[0] as Message[]).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  test('requests, notifications, answers and nonsense in one batch: only what is due is answered', async () => {
    client.send([
      ping('good'),
      { jsonrpc: '2.0', method: 'notifications/nonsense' },
      { jsonrpc: '2.0', id: 'unasked', result: {} },
      { jsonrpc: '2.0', id: 'unknown', method: 'x/y' },
      { jsonrpc: '2.0', id: 'tool', method: 'tools/call', params: { name: 'nothing' } },
      { jsonrpc: '2.0', id: null, method: 'ping' },
      1,
      [ping('nested')],
      null,
    ]);
    const [batch, ...others] = (await heard()) as Message[][];
    expect(others).toEqual([]);
    const said = batch?.map(({ id, error }) => [id, error?.code]);
    expect(said).toHaveLength(7);
    expect(said).toEqual(
      expect.arrayContaining([
        ['good', undefined],
        ['unknown', -32601],
        ['tool', -32602],
        [null, -32600],
      ]),
    );
    expect(said?.filter(([id]) => id === null)).toHaveLength(4);
  });

  test('a batch of notifications is not answered', async () => {
    client.send([
      { jsonrpc: '2.0', method: 'notifications/a' },
      { jsonrpc: '2.0', id: 'x', result: {} },
    ]);
    expect(await heard()).toEqual([]);
  });

  test('an empty batch is one error', async () => {
    client.send([]);
    expect(await heard()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('initialize inside a batch is refused, the rest is answered', async () => {
    client.send([{ jsonrpc: '2.0', id: 'open', method: 'initialize', params: OPENING }, ping('good')]);
    expect((await client.answerTo('open')).error?.code).toBe(-32600);
    expect((await client.answerTo('good')).result).toEqual({});
  });

  test('the same id twice in a batch: the first is answered, the second refused', async () => {
    client.send([ping('twice'), ping('twice')]);
    const [batch] = (await heard()) as Message[][];
    expect(batch?.map(({ error }) => error?.code)).toEqual(expect.arrayContaining([undefined, -32600]));
  });

  test('a cancelled request of a batch is left out of its answer', async () => {
    const wait = { name: 'test_wait', arguments: { ms: 20_000 } };
    client.send([{ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: wait }, ping('fast')]);
    client.notify('notifications/cancelled', { requestId: 'slow' });
    await client.answerTo('fast');
    expect(lines).toEqual([[{ jsonrpc: '2.0', id: 'fast', result: {} }]]);
  });

  test('a batch of thousands is refused as a whole', async () => {
    client.send(Array.from({ length: 1001 }, () => 1));
    expect(await heard()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    lines = [];
    client.write(`[${'1,'.repeat(4_000_000)}1]\n`);
    expect(await heard()).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('of more requests than may be under way, the rest are told to come again', async () => {
    client.send(Array.from({ length: 300 }, (_, index) => ping(`many-${index}`)));
    const [batch] = (await heard()) as Message[][];
    const refused = batch?.filter(({ error }) => error !== undefined) ?? [];
    expect(batch).toHaveLength(300);
    expect(refused).toHaveLength(44);
    expect(refused[0]?.error).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED' } });
  });

  test('shutdown in a batch is answered before the end', async () => {
    const own = await started({ version: '2025-03-26' });
    own.send([ping('first'), { jsonrpc: '2.0', id: 'end', method: 'shutdown' }]);
    expect((await own.answerTo('end')).result).toEqual({});
    expect(await own.exited()).toBe(0);
  });
});

test.each<Version>(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'a batch in %s is refused with -32600, and nothing of it is done',
  async (version) => {
    const client = await started({ version });
    const store = { name: 'memory_store', arguments: { key: 'batched', value: 1 } };
    client.send([{ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: store }]);
    expect((await client.answerTo(null)).error?.code).toBe(-32600);
    expect(await client.data('memory_retrieve', { key: 'batched' })).toMatchObject({ found: false });
    expect(client.messages.filter(({ id }) => id === 'a')).toEqual([]);
  },
);

test('a batch before initialize is refused, also one that holds it', async () => {
  const client = await started({ version: null });
  client.send([{ jsonrpc: '2.0', id: 'open', method: 'initialize', params: OPENING }]);
  expect((await client.answerTo(null)).error?.code).toBe(-32600);
  expect((await client.request('tools/list')).error?.code).toBe(-32600);
});
