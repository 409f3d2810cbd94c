import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { started } from '../support/started.js';
import { TestClient, type Version } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
beforeEach(() => {
  client.messages.length = 0;
});
afterAll(() => client.kill());

const progressOf = ({ messages }: TestClient) =>
  messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params);

test.each(['a token', 0, 17, ''])('progress bears the token %j, grows, and ends with the answer', async (token) => {
  await client.call('test_wait', { ms: 50 }, { progressToken: token });
  expect(progressOf(client)).toEqual([
    { progressToken: token, progress: 0, total: 1, message: 'waiting' },
    { progressToken: token, progress: 1, total: 1, message: 'done' },
  ]);
  expect(client.messages.at(-1)?.result).toBeDefined();
});

test.each([undefined, null, 1.5, true, {}, ['a']])('there is none for the token %j', async (token) => {
  await client.call('test_wait', { ms: 1 }, { progressToken: token });
  expect(progressOf(client)).toEqual([]);
});

test('each of two calls that run at once has its own', async () => {
  await Promise.all(['one', 'other'].map((progressToken) => client.call('test_wait', { ms: 40 }, { progressToken })));
  for (const token of ['one', 'other']) {
    const own = progressOf(client).filter(({ progressToken }) => progressToken === token);
    expect(own.map(({ progress }) => progress)).toEqual([0, 1]);
  }
});

test('trace_analyze tells how far it is', async () => {
  await client.call('test_echo', {});
  const { traces } = await client.data('trace_list', { limit: 1 });
  await client.data('trace_analyze', { traceId: traces[0].traceId }, { progressToken: 'analysis' });
  const steps = progressOf(client).map(({ progress }) => progress);
  expect(steps.length).toBeGreaterThanOrEqual(2);
  expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
  expect(progressOf(client).at(-1)).toMatchObject({ progressToken: 'analysis', progress: 2, total: 2 });
});

test.each<[Version, boolean]>([
  ['2024-11-05', false],
  ['2025-03-26', true],
  ['2026-07-28', true],
])('in %s progress with a message: %s', async (version, hasMessage) => {
  const own = await started({ version, program: 'fixture' });
  await own.call('test_wait', { ms: 30 }, { progressToken: 'versioned' });
  expect(progressOf(own)).toHaveLength(2);
  for (const params of progressOf(own)) expect('message' in params).toBe(hasMessage);
});
