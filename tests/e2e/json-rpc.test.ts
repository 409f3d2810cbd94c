import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersTo } from '../support/started.js';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
beforeEach(() => {
  client.messages.length = 0;
});
afterAll(() => client.kill());

/** What has come until a ping that was sent now is answered. */
async function heard() {
  const { id } = await client.request('ping');
  return client.messages.filter((message) => message.id !== id);
}

describe('what cannot be read is answered without an id', () => {
  test.each([
    ['no JSON', 'hello', -32700],
    ['half an object', '{"jsonrpc": "2.0", "id": 1, "method": "ping"', -32700],
    ['two objects on a line', '{"jsonrpc":"2.0","id":1,"method":"ping"}{}', -32700],
    ['a single quote', "{'jsonrpc': '2.0'}", -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['a string', '"ping"', -32600],
    ['an empty object', '{}', -32600],
    ['only a version', '{"jsonrpc":"2.0"}', -32600],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{"toString":1},"method":"ping"}', -32600],
    ['an id beyond exact integers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['an infinite id', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600],
    ['another version, no id', '{"jsonrpc":"1.0","method":"ping"}', -32600],
  ])('%s', async (_what, line, code) => {
    client.write(`${line}\n`);
    const [answer, ...others] = await heard();
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } });
    expect(others).toEqual([]);
  });
});

describe('what is no request is answered under its id with -32600', () => {
  test.each([
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 'x', method: 'ping' }],
    ['no version of JSON-RPC', { id: 'x', method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 'x' }],
    ['a method that is no string', { jsonrpc: '2.0', id: 'x', method: 5 }],
    ['a method that is an object', { jsonrpc: '2.0', id: 'x', method: { toString: 1 } }],
  ])('%s', async (_what, message) => {
    client.send(message);
    expect((await client.answerTo('x')).error?.code).toBe(-32600);
  });
});

test.each([
  ['zero', 0],
  ['a negative number', -7],
  ['the largest exact integer', 9007199254740991],
  ['an empty string', ''],
  ['a string', 'seven'],
  ['a string of letters beyond ASCII', 'ид-☃-😀'],
  ['half a character', '\ud800'],
  ['a name of every object', '__proto__'],
  ['a very long string', 'x'.repeat(100_000)],
])('an id that is %s comes back as it was', async (_what, id) => {
  client.send({ jsonrpc: '2.0', id, method: 'ping' });
  expect(await client.answerTo(id)).toEqual({ jsonrpc: '2.0', id, result: {} });
});

test('ids that are equal but for their type are two ids', async () => {
  const [number, text] = await Promise.all([
    client.request('ping', {}, 777),
    client.request('tools/call', { name: 'test_echo', arguments: { it: 'was the text' } }, '777'),
  ]);
  expect(number.result).toEqual({});
  expect(text.result.structuredContent.data.echo).toEqual({ it: 'was the text' });
});

test.each([
  ['a list', []],
  ['a string', 'memory_store'],
  ['null', null],
  ['a number', 1],
])('params that are %s are refused with -32602', async (_what, params) => {
  for (const method of ['tools/list', 'tools/call', 'resources/read', 'ping']) {
    client.messages.length = 0;
    client.send({ jsonrpc: '2.0', id: method, method, params });
    expect((await client.answerTo(method)).error?.code, method).toBe(-32602);
  }
});

test('params may be left out where nothing is needed', async () => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'ping']) {
    client.send({ jsonrpc: '2.0', id: method, method });
    expect((await client.answerTo(method)).result, method).toBeDefined();
  }
});

test.each([
  ['a call without a name', 'tools/call', {}],
  ['a name that is no string', 'tools/call', { name: ['memory_store'] }],
  ['arguments that are a list', 'tools/call', { name: 'memory_list', arguments: [] }],
  ['arguments that are null', 'tools/call', { name: 'memory_list', arguments: null }],
  ['metadata that is a string', 'tools/call', { name: 'memory_list', _meta: 'x' }],
  ['a read without a URI', 'resources/read', {}],
  ['a URI of absurd length', 'resources/read', { uri: `artifact://${'x'.repeat(10_001)}` }],
  ['a cursor that is no string', 'tools/list', { cursor: 1 }],
  ['a cursor that nobody gave out', 'tools/list', { cursor: 'bm9uc2Vuc2U' }],
  ['a cursor of another list', 'resources/templates/list', { cursor: 'WyJ0b29scyIsIjEiXQ' }],
])('%s is refused with -32602', async (_what, method, params) => {
  const { error } = await client.request(method, params);
  expect(error?.code).toBe(-32602);
  expect(error?.message.length).toBeLessThanOrEqual(500);
});

test.each(['nonsense', 'tools', 'toString', '__proto__', 'constructor', 'prompts/nonsense', '', 'x'.repeat(10_000)])(
  'method %j is not found: -32601',
  async (method) => {
    const { error } = await client.request(method);
    expect(error?.code).toBe(-32601);
    expect(error?.message.length).toBeLessThan(200);
  },
);

test('an unknown tool is -32602 with its name and what to do, and leaves no trace', async () => {
  const { total } = await client.data('trace_list', { limit: 1 });
  const { error } = await client.request('tools/call', { name: 'memory_stroe', arguments: {} });
  expect(error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('memory_stroe'),
    data: { toolName: 'memory_stroe', details: expect.stringContaining('tools/list') },
  });
  expect(await client.data('trace_list', { limit: 1 })).toMatchObject({ total: total + 1 });
});

test('arguments that break a known tool are an error of the tool, not of the protocol', async () => {
  const { result, error } = await client.request('tools/call', { name: 'memory_store', arguments: { key: 1 } });
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_INPUT' } } });
});

test('a bug of ours is told without its words, and logged with them', async () => {
  const { error } = await client.call('test_bug', { message: 'at /home/someone/secret.ts' });
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: expect.not.stringContaining('/home') });
  await expect.poll(() => client.stderr, { timeout: 10_000 }).toContain('at /home/someone/secret.ts');
});

test('notifications are never answered, whatever they say', async () => {
  client.notify('notifications/initialized');
  client.notify('notifications/nonsense', { deep: [] });
  client.notify('tools/call', { name: 'memory_store', arguments: { key: 'by-notification', value: 1 } });
  client.notify('shutdown');
  client.send({ jsonrpc: '2.0', method: 'notifications/progress', params: 'not an object' });
  client.send({ jsonrpc: '2.0', method: 'tools/list', params: [] });
  expect(await heard()).toEqual([]);
  expect(await client.data('memory_retrieve', { key: 'by-notification' })).toMatchObject({ found: false });
});

test('an answer that nobody asked for is dropped', async () => {
  client.send({ jsonrpc: '2.0', id: 'automatosx-1', result: { roots: [] } });
  client.send({ jsonrpc: '2.0', id: 99, error: { code: -1, message: 'no' } });
  client.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } });
  client.send({ jsonrpc: '2.0', result: {} });
  expect(await heard()).toEqual([]);
});

test('a request is answered once', async () => {
  const { id } = await client.request('tools/list');
  await heard();
  expect(answersTo(client, id as number)).toHaveLength(1);
});
