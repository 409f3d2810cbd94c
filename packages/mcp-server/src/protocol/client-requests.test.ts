import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClientRequests } from './client-requests.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  const sent: { jsonrpc: string; id: string; method: string }[] = [];
  return { sent, client: createClientRequests((message) => sent.push(JSON.parse(message))) };
}

test('a question is sent with an id of its own and settled by the answer that bears it', async () => {
  const { sent, client } = setup();
  const [one, other] = [
    client.request({ method: 'roots/list' }, { timeoutMs: 1000 }),
    client.request({ method: 'roots/list' }, { timeoutMs: 1000 }),
  ];
  expect(sent[0]).toEqual({ jsonrpc: '2.0', id: expect.any(String), method: 'roots/list' });
  expect(sent[0]?.id).not.toBe(sent[1]?.id);
  client.settle({ id: sent[1]?.id, result: 'second' });
  client.settle({ id: sent[0]?.id, result: 'first' });
  expect(await Promise.all([one, other])).toEqual(['first', 'second']);
});

test('a refusal rejects', async () => {
  const { sent, client } = setup();
  const asked = client.request({ method: 'roots/list' }, { timeoutMs: 1000 });
  client.settle({ id: sent[0]?.id, error: { code: -32601, message: 'no' } });
  await expect(asked).rejects.toMatchObject({ data: { code: -32601, message: 'no' } });
});

test('silence rejects in time, and an answer after that is dropped', async () => {
  const { sent, client } = setup();
  const asked = client.request({ method: 'roots/list' }, { timeoutMs: 1000 }).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await asked).toBe('The client did not answer roots/list within 1000 ms');
  client.settle({ id: sent[0]?.id, result: {} });
});

test.each([undefined, null, 1.5, {}, 'unknown', '__proto__'])('an answer with the id %j is dropped', (id) => {
  const { client } = setup();
  expect(() => client.settle({ id, result: {} })).not.toThrow();
  expect(() => client.settle({ id, error: {} })).not.toThrow();
});
