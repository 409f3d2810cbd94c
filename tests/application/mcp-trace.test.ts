import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterAll(() => client.end());

const newest = async (toolName: string) => {
  const { traces } = await client.data('trace_list', { toolName, limit: 1 });
  return client.data('trace_get', { traceId: traces[0].traceId });
};

test('INV-MCP-007: every call leaves exactly one trace, whether it succeeds, fails, breaks or is refused', async () => {
  const calls: [string, Record<string, unknown>][] = [
    ['test_echo', {}],
    ['test_bug', { message: 'broken' }],
    ['memory_store', { key: 'a', value: 1, expectedVersion: 9 }],
    ['memory_retrieve', {}],
    ['test_echo', { list: Array.from({ length: 101 }, () => 0) }],
  ];
  const before = (await client.data('trace_list', { limit: 1 })).total;
  for (const [name, input] of calls) await client.call(name, input);
  const { total } = await client.data('trace_list', { limit: 1 });
  expect(total).toBe(before + calls.length + 1);
});

test('the trace is there as soon as the answer is', async () => {
  for (let round = 0; round < 20; round++) {
    await client.call('test_echo', { round });
    const { events } = await newest('test_echo');
    expect(events[1].payload.input).toEqual({ round });
  }
});

test('INV-MCP-009: a trace holds input, output, duration and success', async () => {
  await client.data(
    'memory_store',
    { key: 'traced', value: 'v' },
    { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
  );
  const trace = await newest('memory_store');
  expect(trace).toMatchObject({
    name: 'mcp.tool.memory_store',
    workflowId: 'mcp.tool.memory_store',
    status: 'success',
    correlationId: 'ab'.repeat(16),
    durationMs: expect.any(Number),
    eventCount: 4,
  });
  expect(trace.events.map(({ type }: { type: string }) => type)).toEqual([
    'run.start',
    'tool.invoke',
    'tool.result',
    'run.end',
  ]);
  expect(trace.events[2].payload).toMatchObject({
    type: 'mcp.toolCalled',
    toolName: 'memory_store',
    input: { key: 'traced', value: 'v' },
    output: { success: true, data: { key: 'traced', version: 1 } },
    success: true,
    durationMs: expect.any(Number),
  });
});

test('a failed call keeps its code, its finer code and an error event', async () => {
  await client.call('memory_store', { key: 'traced', value: 'v', expectedVersion: 77 });
  const trace = await newest('memory_store');
  expect(trace).toMatchObject({
    status: 'failure',
    errorCode: 'CONFLICT',
    toolCode: 'VERSION_CONFLICT',
    eventCount: 5,
  });
  expect(trace.events.map(({ type }: { type: string }) => type)).toContain('error');
});

test('INV-MCP-MEM-005: a delete leaves an event with key and namespace', async () => {
  await client.data('memory_store', { key: 'short-lived', value: 1, namespace: 'n' });
  await client.data('memory_delete', { key: 'short-lived', namespace: 'n' });
  const { events } = await newest('memory_delete');
  expect(events[2]).toMatchObject({ type: 'step.execute', payload: { namespace: 'n', keys: ['short-lived'] } });
});

test('an unknown tool leaves no trace, because nothing was called', async () => {
  const before = (await client.data('trace_list', { limit: 1 })).total;
  await client.request('tools/call', { name: 'no_such_tool' });
  expect((await client.data('trace_list', { limit: 1 })).total).toBe(before + 1);
});

test('a trace belongs to the session that the arguments or the metadata name', async () => {
  const { sessionId } = await client.data('session_create', { initiator: 'a', task: 't' });
  await client.data('session_status', { sessionId });
  await client.data('test_echo', { here: true }, { 'automatosx/sessionId': sessionId });
  const { traces, total } = await client.data('trace_list', { sessionId });
  expect(total).toBe(2);
  expect(traces.map(({ toolName }: { toolName: string }) => toolName)).toEqual(['test_echo', 'session_status']);
});

describe('a long call', () => {
  test('that was killed ends as a failure at the next start', async () => {
    const victim = await TestClient.start({ program: 'fixture', home: client.home });
    void victim.request('tools/call', { name: 'test_execution', arguments: { ms: 60_000 } });
    await expect
      .poll(async () => (await client.data('trace_list', { toolName: 'test_execution' })).traces[0]?.status)
      .toBe('running');
    await victim.kill();

    const next = await TestClient.start({ program: 'fixture', home: client.home });
    await expect
      .poll(async () => (await next.data('trace_list', { toolName: 'test_execution' })).traces[0])
      .toMatchObject({
        status: 'failure',
        errorCode: 'OPERATION_FAILED',
        toolCode: 'INTERRUPTED',
      });
    await next.end();
  });

  test('of a living process is left alone by others that start', async () => {
    const owner = await TestClient.start({ program: 'fixture', home: client.home });
    const call = owner.call('test_execution', { ms: 1500 });
    await expect.poll(async () => (await client.data('trace_list', { status: 'running' })).total).toBe(1);
    const other = await TestClient.start({ program: 'fixture', home: client.home });
    expect((await other.data('trace_list', { status: 'running' })).total).toBe(1);
    expect(await call).toMatchObject({ success: true });
    expect((await other.data('trace_list', { status: 'running' })).total).toBe(0);
    await other.end();
    await owner.end();
  });
});

test('trace_analyze tells a failed call from a good one', async () => {
  await client.call('memory_store', { key: 'traced', value: 'v', expectedVersion: 77 });
  const failed = await client.data('trace_analyze', { traceId: (await newest('memory_store')).traceId });
  expect(failed.summary).toMatch(/fail/i);
  expect(failed.metrics).toMatchObject({ errorCount: 1, successRate: 0 });
  await client.call('memory_store', { key: 'traced', value: 'v' });
  const good = await client.data('trace_analyze', { traceId: (await newest('memory_store')).traceId });
  expect(good).toMatchObject({ issues: [], metrics: { errorCount: 0, successRate: 1, stepCount: 1 } });
});
