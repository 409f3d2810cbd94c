import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesOf } from '../support/started.js';
import { TestClient } from '../support/test-client.js';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

let client: TestClient;
beforeEach(() => {
  client = new TestClient({ version: null });
});
afterEach(() => client.kill());

const opening = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

test.each(VERSIONS)('%s is agreed on when a client asks for it', async (version) => {
  const { result } = await client.request('initialize', opening(version));
  expect(result).toMatchObject({
    protocolVersion: version,
    capabilities: { tools: expect.any(Object), resources: expect.any(Object) },
    serverInfo: { name: 'automatosx-mcp', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    instructions: expect.stringContaining('memory_store'),
  });
});

test.each(['2099-12-31', '2026-07-28', '', '__proto__'])(
  'a client that asks for %j is offered the newest version with a handshake',
  async (version) => {
    const { result } = await client.request('initialize', opening(version));
    expect(result.protocolVersion).toBe('2025-11-25');
    expect((await client.request('tools/list')).result.tools[0]).toHaveProperty('outputSchema');
  },
);

test('ping is answered before initialize, and decides nothing', async () => {
  expect((await client.request('ping')).result).toEqual({});
  expect((await client.request('initialize', opening('2025-03-26'))).result.protocolVersion).toBe('2025-03-26');
});

test('INV-MCP-006: anything but ping and initialize is refused before initialize', async () => {
  const methods = [
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'shutdown',
    'server/discover',
    'x/y',
  ];
  for (const method of methods) {
    const { error } = await client.request(method, { name: 'memory_list', uri: 'artifact://x' });
    expect(error, method).toMatchObject({ code: -32600, message: expect.stringContaining('initialize') });
  }
  expect((await client.request('initialize', opening('2025-11-25'))).result).toBeDefined();
  expect(await client.data('trace_list')).toMatchObject({ total: 0 });
});

test('a second initialize is refused and changes nothing', async () => {
  await client.request('initialize', opening('2025-06-18'));
  const { error } = await client.request('initialize', opening('2024-11-05'));
  expect(error?.code).toBe(-32600);
  expect((await client.request('tools/list')).result.tools[0]).toHaveProperty('outputSchema');
});

test('a message behind initialize in the same write is of the version that it settled', async () => {
  client.write(
    linesOf(
      { jsonrpc: '2.0', id: 'open', method: 'initialize', params: opening('2025-03-26') },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      [{ jsonrpc: '2.0', id: 'batched', method: 'ping' }],
      { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
    ),
  );
  expect((await client.answerTo('open')).result.protocolVersion).toBe('2025-03-26');
  expect((await client.answerTo('batched')).result).toEqual({});
  const [tool] = (await client.answerTo('list')).result.tools;
  expect(tool).toHaveProperty('annotations');
  expect(tool).not.toHaveProperty('outputSchema');
});

test('an initialize that was refused can be sent again', async () => {
  const { error } = await client.request('initialize', { protocolVersion: '2025-11-25' });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('capabilities') });
  // The second of these has an id that is under way.
  client.write(
    linesOf(
      { jsonrpc: '2.0', id: 'same', method: 'ping' },
      { jsonrpc: '2.0', id: 'same', method: 'initialize', params: opening('2025-11-25') },
    ),
  );
  await client.next((message) => message.id === 'same' && message.error?.code === -32600);
  expect((await client.request('initialize', opening('2025-03-26'))).result.protocolVersion).toBe('2025-03-26');
});

test('initialize cannot be cancelled', async () => {
  client.write(
    linesOf(
      { jsonrpc: '2.0', id: 'open', method: 'initialize', params: opening('2025-11-25') },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'open' } },
    ),
  );
  expect((await client.answerTo('open')).result.protocolVersion).toBe('2025-11-25');
});

test('initialize with params of the wrong shape is refused, and the connection stays closed', async () => {
  const wrong = [
    {},
    { ...opening('2025-11-25'), protocolVersion: 20251125 },
    { ...opening('2025-11-25'), capabilities: [] },
    { ...opening('2025-11-25'), clientInfo: { version: '1' } },
  ];
  for (const params of wrong) {
    expect((await client.request('initialize', params)).error?.code).toBe(-32602);
    expect((await client.request('tools/list')).error?.code).toBe(-32600);
  }
});
