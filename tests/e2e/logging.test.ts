import { expect, test } from 'vitest';
import { TestClient, type TestClientOptions } from '../support/test-client.js';

const logged = ({ messages }: TestClient) =>
  messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

async function started(options: TestClientOptions): Promise<TestClient> {
  return TestClient.start({ program: 'fixture', isStrict: false, ...options });
}

test('a client hears nothing of calls that went well, until it asks for that', async () => {
  const client = await started({});
  await client.call('memory_list');
  expect(logged(client)).toEqual([]);
  expect((await client.request('logging/setLevel', { level: 'debug' })).result).toEqual({});
  await client.call('memory_list');
  expect(logged(client)).toEqual([
    { level: 'debug', logger: 'automatosx', data: { tool: 'memory_list', durationMs: expect.any(Number) } },
  ]);
  await client.end();
});

test('a fault of the server is told without being asked for, and not to who wants less', async () => {
  const client = await started({});
  await client.call('test_bug', { message: 'boom' });
  expect(logged(client)).toMatchObject([{ level: 'error', data: { tool: 'test_bug', code: 'INTERNAL_ERROR' } }]);
  expect(JSON.stringify(logged(client))).not.toContain('boom');
  await client.request('logging/setLevel', { level: 'critical' });
  await client.call('test_bug', { message: 'boom' });
  expect(logged(client)).toHaveLength(1);
  await client.end();
});

test('an answer that was cut is told with where the whole of it is', async () => {
  const client = await started({});
  await client.call('test_size', { items: 300, length: 9000 });
  expect(logged(client)).toMatchObject([
    { level: 'notice', data: { tool: 'test_size', artifact: expect.stringMatching(/^artifact:\/\//) } },
  ]);
  await client.end();
});

test('a level that there is not is refused', async () => {
  const client = await started({});
  expect((await client.request('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
  await client.end();
});

test('in 2026-07-28 the request says what it wants to hear, and there is no level to set', async () => {
  const client = await started({ version: '2026-07-28' });
  await client.call('test_bug', { message: 'boom' });
  expect(logged(client)).toEqual([]);
  await client.call('memory_list', {}, { 'io.modelcontextprotocol/logLevel': 'debug' });
  expect(logged(client)).toMatchObject([{ level: 'debug', data: { tool: 'memory_list' } }]);
  expect((await client.request('logging/setLevel', { level: 'debug' })).error?.code).toBe(-32601);
  await client.end();
});
