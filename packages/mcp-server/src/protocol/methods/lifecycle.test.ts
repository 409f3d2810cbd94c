import { expect, test } from 'vitest';
import { served } from '../../../../../tests/support/served.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('ping is answered before there was a handshake, and after', async () => {
  const { open, request } = served();
  expect((await request('ping')).result).toEqual({});
  await open();
  expect((await request('ping')).result).toEqual({});
});

test('shutdown is answered, and then the connection ends', async () => {
  const { open, request, closed } = served();
  await open();
  expect((await request('shutdown')).result).toEqual({});
  await closed;
});

test.each(['1999-01-01', '2026-07-28', ''])('a client that asks for %j gets the newest there is', async (asked) => {
  expect((await served().open(asked)).result.protocolVersion).toBe('2025-11-25');
});

test('only stateless clients hear of extensions', async () => {
  const { open, request } = served();
  const { capabilities } = (await request('server/discover', { _meta: META })).result;
  expect(capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  expect((await open()).result.capabilities).not.toHaveProperty('extensions');
});

test.each(['ping', 'shutdown', 'initialize'])('%s is not there for stateless clients', async (method) => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  expect((await served().request(method, { ...params, _meta: META })).error?.code).toBe(-32601);
});

test('server/discover is not there for handshake clients', async () => {
  const { open, request } = served();
  await open();
  expect((await request('server/discover')).error?.code).toBe(-32601);
});
