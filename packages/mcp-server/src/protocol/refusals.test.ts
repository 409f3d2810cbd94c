import { describe, expect, test } from 'vitest';
import { served } from '../../../../tests/support/served.js';

const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' });

/** Sends a line and gives all that is said until a ping behind it is answered. */
async function saidTo(line: unknown, version?: string) {
  const { input, open, request, messages } = served();
  if (version !== undefined) await open(version);
  messages.length = 0;
  input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  await request('ping', undefined, 'behind');
  return messages.filter(({ id }) => id !== 'behind').map(({ id, error }) => [id, error?.code]);
}

test.each<[string, unknown, [unknown, number][]]>([
  ['no JSON', 'hello', [[null, -32700]]],
  ['no object', 1, [[null, -32600]]],
  ['null', null, [[null, -32600]]],
  ['no id and no method', { jsonrpc: '2.0' }, [[null, -32600]]],
  ['an id of null', { jsonrpc: '2.0', id: null, method: 'ping' }, [[null, -32600]]],
  ['another version of JSON-RPC', { jsonrpc: '1.0', id: 'a', method: 'ping' }, [['a', -32600]]],
  ['a method that is no text', { jsonrpc: '2.0', id: 'a', method: 1 }, [['a', -32600]]],
  ['an unknown method', { jsonrpc: '2.0', id: 'a', method: 'x' }, [['a', -32601]]],
  ['params of the wrong shape', { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: [] }, [['a', -32602]]],
  ['a second initialize', { jsonrpc: '2.0', id: 'a', method: 'initialize', params: OPENING }, [['a', -32600]]],
  ['a notification', { jsonrpc: '2.0', method: 'x', params: 1 }, []],
  ['a cancellation of nothing', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, []],
  ['a cancellation without an id', { jsonrpc: '2.0', method: 'notifications/cancelled' }, []],
  ['an answer to nothing', { jsonrpc: '2.0', id: 'a', result: {} }, []],
  ['a batch', [ping('a')], [[null, -32600]]],
])('%s', async (_what, line, said) => {
  expect(await saidTo(line, '2025-11-25')).toEqual(said);
});

describe('before initialize', () => {
  test.each<[string, unknown, [unknown, number][]]>([
    ['a list is refused', { jsonrpc: '2.0', id: 'a', method: 'tools/list' }, [['a', -32600]]],
    ['an unknown method is refused', { jsonrpc: '2.0', id: 'a', method: 'x' }, [['a', -32600]]],
    ['a batch is refused', [ping('a')], [[null, -32600]]],
    ['a bad initialize is refused', { jsonrpc: '2.0', id: 'a', method: 'initialize' }, [['a', -32602]]],
  ])('%s', async (_what, line, said) => {
    expect(await saidTo(line)).toEqual(said);
  });
});

describe('batches of 2025-03-26', () => {
  test.each<[string, unknown, unknown[]]>([
    [
      'requests are answered',
      [ping('a'), ping('b')],
      [
        ['a', undefined],
        ['b', undefined],
      ],
    ],
    ['an empty one is refused', [], [[null, -32600]]],
    ['a huge one is refused', Array(1001).fill(1), [[null, -32600]]],
    ['notifications are not answered', [{ jsonrpc: '2.0', method: 'x' }], []],
    ['initialize is refused in one', [{ jsonrpc: '2.0', id: 'a', method: 'initialize' }], [['a', -32600]]],
  ])('%s', async (_what, line, said) => {
    expect((await saidTo(line, '2025-03-26')).sort()).toEqual(said);
  });
});

test('the same id twice at once is refused', async () => {
  const { input, open, until, messages } = served();
  await open();
  input.write(`${JSON.stringify(ping('a'))}\n${JSON.stringify(ping('a'))}\n`);
  await until(() => messages.length === 3);
  expect(messages.slice(1).map(({ id, error }) => [id, error?.code])).toEqual(
    expect.arrayContaining([
      ['a', undefined],
      ['a', -32600],
    ]),
  );
});
