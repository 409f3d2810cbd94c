import { afterAll, beforeAll, expect, test } from 'vitest';
import { answersTo, linesOf, started } from '../support/started.js';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterAll(() => client.kill());

const call = (id: string | number, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});
const cancel = (requestId: unknown, to = client) => to.notify('notifications/cancelled', { requestId, reason: 'test' });
const lastTraceOf = async (toolName: string) =>
  (await client.data('trace_list', { toolName, limit: 1 })).traces[0] as { status: string; toolCode?: string };

test('cancelling stops the work, and the trace tells of it', async () => {
  const startedAt = Date.now();
  client.send(call('stop', 'test_wait', { ms: 25_000 }));
  cancel('stop');
  await expect
    .poll(() => lastTraceOf('test_wait'), { timeout: 4000 })
    .toMatchObject({ status: 'failure', errorCode: 'OPERATION_FAILED', toolCode: 'CANCELLED' });
  expect(Date.now() - startedAt).toBeLessThan(5000);
  expect(answersTo(client, 'stop')).toEqual([]);
});

test('a call that ignores its signal is not answered either', async () => {
  client.send(call('deaf', 'test_ignore_signal', { ms: 100 }));
  cancel('deaf');
  await client.data('test_wait', { ms: 200 });
  expect(answersTo(client, 'deaf')).toEqual([]);
  expect(await lastTraceOf('test_ignore_signal')).toMatchObject({ status: 'failure', toolCode: 'CANCELLED' });
});

test('a cancelled id is free again at once', async () => {
  client.write(
    linesOf(
      call('free', 'test_wait', { ms: 20_000 }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'free' } },
      call('free', 'test_echo', { second: true }),
    ),
  );
  expect((await client.answerTo('free')).result.structuredContent.data).toEqual({ echo: { second: true } });
  expect(answersTo(client, 'free')).toHaveLength(1);
});

test('no progress is sent after a call was cancelled', async () => {
  const params = { name: 'test_wait', arguments: { ms: 100 }, _meta: { progressToken: 'cancelled' } };
  client.send({ jsonrpc: '2.0', id: 'progressing', method: 'tools/call', params });
  await client.next(({ params }) => params?.progressToken === 'cancelled');
  cancel('progressing');
  await client.data('test_wait', { ms: 200 });
  expect(client.messages.filter(({ params }) => params?.progressToken === 'cancelled')).toHaveLength(1);
});

test('cancelling what is not under way, and cancelling badly, have no effect', async () => {
  const slow = client.request('tools/call', { name: 'test_wait', arguments: { ms: 300 } }, 'slow');
  const { id: finished } = await client.request('ping');
  for (const requestId of ['unknown', finished, 'slo', 'slow ', null, 1.5, {}, ['slow'], true, '__proto__']) {
    cancel(requestId);
  }
  client.notify('notifications/cancelled');
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: ['slow'] });
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: 'slow' });
  client.send({ jsonrpc: '2.0', method: 'notifications/cancel', params: { requestId: 'slow' } });
  expect((await slow).result.structuredContent.data).toEqual({ waited: 300 });
});

test('a client cannot cancel what another one runs', async () => {
  const other = await started({ home: client.home, program: 'fixture' });
  const slow = client.request('tools/call', { name: 'test_wait', arguments: { ms: 300 } }, 'mine');
  cancel('mine', other);
  await other.request('ping');
  expect((await slow).result.structuredContent.success).toBe(true);
});

test('the trace of a call that was cancelled just before the end is kept', async () => {
  const own = await started({ program: 'fixture' });
  own.write(
    linesOf(call('last', 'test_wait', { ms: 20_000 }), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'last' },
    }),
  );
  expect(await own.end()).toBe(0);
  const next = await started({ home: own.home });
  const { traces } = await next.data('trace_list', { toolName: 'test_wait' });
  expect(traces).toMatchObject([{ status: 'failure', toolCode: 'CANCELLED' }]);
});

test('a flood of calls that are cancelled at once does no harm', async () => {
  const own = await started({ program: 'fixture' });
  const ids = Array.from({ length: 1000 }, (_, index) => `flood-${index}`);
  own.write(
    ids
      .map((id) =>
        linesOf(call(id, 'test_wait', { ms: 20_000 }), {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id },
        }),
      )
      .join(''),
  );
  expect(await own.data('test_echo', { after: true })).toEqual({ echo: { after: true } });
  const answered = own.messages.filter(({ id }) => String(id).startsWith('flood'));
  expect(answered.filter(({ error }) => error?.code !== -32000)).toEqual([]);
  const { total } = await own.data('trace_list', { toolName: 'test_wait', limit: 1 });
  expect(total + answered.length).toBe(1000);
});

test('a write that is cancelled in the same breath stores nothing, and its trace says so', async () => {
  const client = await TestClient.start();
  const call = {
    jsonrpc: '2.0',
    id: 'b',
    method: 'tools/call',
    params: { name: 'memory_store', arguments: { key: 'b', value: 1 } },
  };
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'b' } };
  client.write(`${JSON.stringify(call)}\n${JSON.stringify(cancel)}\n`);
  await expect
    .poll(async () => (await client.data('trace_list', { toolName: 'memory_store' })).traces[0])
    .toMatchObject({
      status: 'failure',
      toolCode: 'CANCELLED',
    });
  expect(await client.data('memory_retrieve', { key: 'b' })).toMatchObject({ found: false });
  await client.end();
});
