import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

const key = (name: string) => ({ 'automatosx/idempotencyKey': name });

let client: TestClient;
beforeEach(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterEach(() => client.end());

test('a write that is sent again with its key gives the first answer, also after a restart', async () => {
  const first = await client.data('session_create', { initiator: 'a', task: 't' }, key('once'));
  expect(await client.data('session_create', { task: 't', initiator: 'a' }, key('once'))).toEqual(first);
  await client.end();
  client = await TestClient.start({ program: 'fixture', home: client.home });
  expect(await client.data('session_create', { initiator: 'a', task: 't' }, key('once'))).toEqual(first);
  expect((await client.data('session_list')).total).toBe(1);
  const { traces } = await client.data('trace_list', { toolName: 'session_create' });
  expect(traces.map(({ replayed }: { replayed?: boolean }) => replayed)).toEqual([true, true, undefined]);
});

test('the same key with other arguments is a conflict, and belongs to one tool', async () => {
  await client.data('memory_store', { key: 'a', value: 1 }, key('k'));
  const { error } = await client.call('memory_store', { key: 'a', value: 2 }, key('k'));
  expect(error).toMatchObject({ code: 'CONFLICT', context: { toolCode: 'IDEMPOTENCY_MISMATCH' } });
  expect(await client.data('memory_delete', { key: 'a' }, key('k'))).toMatchObject({ deleted: true });
});

test('failures are never replayed', async () => {
  expect(await client.call('test_fail_once', {}, key('k'))).toMatchObject({
    success: false,
    error: { retryable: true },
  });
  expect(await client.call('test_fail_once', {}, key('k'))).toMatchObject({ success: true, data: { runs: 2 } });
  expect(await client.call('test_fail_once', {}, key('k'))).toMatchObject({ success: true, data: { runs: 2 } });
});

test('a second call while the first runs waits for it, in another process too', async () => {
  const other = await TestClient.start({ program: 'fixture', home: client.home });
  const calls = [client, client, other].map((each) => each.call('test_slow_write', { ms: 400 }, key('slow')));
  const answers = await Promise.all(calls);
  expect(answers.map(({ data }) => data)).toEqual([{ runs: 1 }, { runs: 1 }, { runs: 1 }]);
  await other.end();
});

test('a call whose process died does not hold its key for ever', async () => {
  const victim = await TestClient.start({ program: 'fixture', home: client.home });
  void victim.request('tools/call', { name: 'test_slow_write', arguments: { ms: 600 }, _meta: key('dead') });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await victim.kill();
  expect(await client.call('test_slow_write', { ms: 600 }, key('dead'))).toMatchObject({
    success: true,
    data: { runs: 1 },
  });
});
