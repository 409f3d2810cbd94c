import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { started } from '../support/started.js';
import { TestClient } from '../support/test-client.js';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const INFO_KEY = 'io.modelcontextprotocol/serverInfo';
const META = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {} };
const OPENING = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('without any opening', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.start({ version: '2026-07-28' });
  });
  afterAll(() => client.kill());

  test('server/discover tells versions, capabilities, identity and instructions', async () => {
    const { result } = await client.request('server/discover');
    expect(result).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: expect.objectContaining({
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      }),
      instructions: expect.stringContaining('memory_store'),
      resultType: 'complete',
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: { [INFO_KEY]: { name: 'automatosx-mcp', version: expect.any(String) } },
    });
  });

  test('every result says what it is and who made it; lists and reads say how long they keep', async () => {
    const { artifact } = (await artifactOf(client)).metadata;
    const cacheable: [string, Record<string, unknown>, object][] = [
      ['tools/list', {}, { cacheScope: 'public', ttlMs: 60_000 }],
      ['resources/list', {}, { cacheScope: 'public', ttlMs: 60_000 }],
      ['resources/templates/list', {}, { cacheScope: 'public', ttlMs: 60_000 }],
      ['prompts/list', {}, { cacheScope: 'public', ttlMs: 60_000 }],
      ['resources/read', { uri: artifact }, { cacheScope: 'private', ttlMs: 0 }],
    ];
    for (const [method, params, kept] of cacheable) {
      const { result } = await client.request(method, params);
      expect(result, method).toMatchObject({ resultType: 'complete', ...kept, _meta: { [INFO_KEY]: {} } });
    }
  });

  test('a call says what it is, and cannot be kept', async () => {
    for (const input of [{ key: 'a', value: 1 }, { key: 'a' }]) {
      const { result } = await client.request('tools/call', { name: 'memory_store', arguments: input });
      expect(result).toMatchObject({ resultType: 'complete', _meta: { [INFO_KEY]: { name: 'automatosx-mcp' } } });
      expect(result).not.toHaveProperty('ttlMs');
      expect(result).not.toHaveProperty('cacheScope');
    }
  });

  test.each(['ping', 'shutdown', 'initialize', 'logging/setLevel', 'x/y'])(
    '%s is not a method there',
    async (method) => {
      expect((await client.request(method, { ...OPENING })).error?.code).toBe(-32601);
    },
  );

  test.each([
    ['absent', undefined],
    ['null', null],
    ['a list', []],
    ['a string', 'all'],
  ])('capabilities that are %s are refused with -32602', async (_what, capabilities) => {
    const { error } = await client.request('tools/list', { _meta: { ...META, [CAPABILITIES_KEY]: capabilities } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(CAPABILITIES_KEY) });
  });

  test.each(['1900-01-01', '2025-11-25', '', '__proto__', 'x'.repeat(10_000)])(
    'version %j is refused with -32022, what is supported, and what was asked',
    async (requested) => {
      const { error } = await client.request('server/discover', { _meta: { ...META, [VERSION_KEY]: requested } });
      expect(error).toEqual({
        code: -32022,
        message: 'Unsupported protocol version',
        data: { supported: ['2026-07-28'], requested: requested.slice(0, 100) },
      });
    },
  );

  test.each([
    ['a number', 20260728],
    ['null', null],
    ['an object that cannot be made a string', { toString: 1 }],
    ['a list', [['2026-07-28']]],
  ])('a version that is %s is refused with -32602', async (_what, version) => {
    const { error } = await client.request('tools/list', { _meta: { ...META, [VERSION_KEY]: version } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(VERSION_KEY) });
  });
});

test('what one request declares does not hold for the next', async () => {
  const client = await started({ version: null });
  expect((await client.request('tools/list', { _meta: META })).result.resultType).toBe('complete');
  expect((await client.request('tools/list')).error?.code).toBe(-32600);
});

test('initialize works after server/discover, and then both eras work side by side', async () => {
  const client = await started({ version: null });
  expect((await client.request('server/discover', { _meta: META })).result.supportedVersions).toEqual(['2026-07-28']);
  expect((await client.request('initialize', OPENING)).result.protocolVersion).toBe('2025-03-26');
  const [modern, legacy, ping, discovered] = await Promise.all([
    client.request('tools/list', { _meta: META }),
    client.request('tools/list'),
    client.request('ping'),
    client.request('server/discover'),
  ]);
  expect(modern.result.tools[0]).toHaveProperty('outputSchema');
  expect(modern.result).toHaveProperty('resultType');
  expect(legacy.result.tools[0]).not.toHaveProperty('outputSchema');
  expect(legacy.result).not.toHaveProperty('resultType');
  expect(ping.result).toEqual({});
  expect(discovered.error?.code).toBe(-32601);
});

test('what a stateless call stores, a handshake call finds', async () => {
  const client = await started();
  const store = { name: 'memory_store', arguments: { key: 'shared', value: 'by all' }, _meta: META };
  expect((await client.request('tools/call', store)).result.structuredContent.success).toBe(true);
  expect(await client.data('memory_retrieve', { key: 'shared' })).toMatchObject({ value: 'by all' });
});

async function artifactOf(client: TestClient) {
  for (let index = 0; index < 12; index++) {
    await client.data('memory_store', { key: `bulky-${index}`, value: 'y'.repeat(100_000) });
  }
  return client.call('memory_search', { query: 'bulky-', limit: 100 });
}
