import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { stateless } from '../support/http-requests.js';
import { startHttp } from '../support/http-server.js';
import { started } from '../support/started.js';
import type { TestClient } from '../support/test-client.js';

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const _meta = { [CAPABILITIES_KEY]: { ...TASKS, elicitation: {} } };

const server = (home?: string) => started({ program: 'fixture', version: '2026-07-28', ...(home && { home }) });

const ask = (client: TestClient, method: string, params: object) => client.request(method, { _meta, ...params });

async function begin(client: TestClient, name: string, input: object): Promise<string> {
  const { result } = await ask(client, 'tools/call', { name, arguments: input });
  expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  return result.taskId;
}

/** The task, once it is in this state. */
const until = (client: TestClient, taskId: string, status: string) =>
  vi.waitUntil(
    async () => {
      const { result } = await ask(client, 'tasks/get', { taskId });
      return result.status === status ? result : undefined;
    },
    { timeout: 15_000, interval: 20 },
  );

test('a long call is answered at once, tells how far it is, and has its result in the end', async () => {
  const client = await server();
  const askedAt = performance.now();
  const taskId = await begin(client, 'test_long', { ms: 1500 });
  const working = await vi.waitUntil(
    async () => {
      const { result } = await ask(client, 'tasks/get', { taskId });
      return result.statusMessage && result;
    },
    { timeout: 5000 },
  );
  expect(working).toMatchObject({ status: 'working', statusMessage: 'half of it is done', resultType: 'complete' });
  const { result, ...completed } = await until(client, taskId, 'completed');
  expect(performance.now() - askedAt).toBeGreaterThan(1500);
  expect(result).toMatchObject({ structuredContent: { success: true, data: { waited: 1500 } } });
  expect(result).not.toHaveProperty('resultType');
  expect(Date.parse(completed.lastUpdatedAt)).toBeGreaterThan(Date.parse(completed.createdAt));
  const traces = { name: 'trace_list', arguments: { toolName: 'test_long' } };
  expect((await ask(client, 'tools/call', traces)).result.structuredContent.data.total).toBe(1);
});

test('cancelling stops the work', async () => {
  const client = await server();
  const taskId = await begin(client, 'test_long', { ms: 60_000 });
  expect((await ask(client, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect(await until(client, taskId, 'cancelled')).not.toHaveProperty('result');
  // Nothing is left to wait for.
  const endedAt = performance.now();
  expect(await client.end()).toBe(0);
  expect(performance.now() - endedAt).toBeLessThan(2000);
});

describe('another process that shares the data', () => {
  test('sees how far a task is, cancels it within a second, and reads results', async () => {
    const owner = await server();
    const other = await server(owner.home);
    const [cancelled, completed] = [
      await begin(owner, 'test_long', { ms: 60_000 }),
      await begin(owner, 'test_long', { ms: 100 }),
    ];
    expect((await ask(other, 'tasks/get', { taskId: cancelled })).result.status).toBe('working');
    const askedAt = performance.now();
    await ask(other, 'tasks/cancel', { taskId: cancelled });
    await until(owner, cancelled, 'cancelled');
    expect(performance.now() - askedAt).toBeLessThan(1000);
    const { result } = await until(other, completed, 'completed');
    expect(result.structuredContent.data).toEqual({ waited: 100 });
  });

  test('answers questions, and the work goes on where it is', async () => {
    const owner = await server();
    const other = await server(owner.home);
    const taskId = await begin(owner, 'test_ask', { rounds: 1 });
    const { inputRequests } = await until(other, taskId, 'input_required');
    expect(inputRequests.first).toMatchObject({ params: { message: 'Your first name?' } });
    const [first, last] = ['Ada', 'Lovelace'].map((name) => ({ action: 'accept', content: { name } }));
    await ask(other, 'tasks/update', { taskId, inputResponses: { first } });
    expect((await ask(owner, 'tasks/get', { taskId })).result.inputRequests).not.toHaveProperty('first');
    await ask(other, 'tasks/update', { taskId, inputResponses: { last, first: 'too late', unknown: {} } });
    const { result } = await until(other, taskId, 'completed');
    expect(result.structuredContent.data.names).toEqual([[first, last]]);
  });

  test('is told of changes, and of the sudden end of the process that ran it', async () => {
    const owner = await server();
    const other = await server(owner.home);
    const [short, long] = [
      await begin(owner, 'test_long', { ms: 500 }),
      await begin(owner, 'test_long', { ms: 60_000 }),
    ];
    void ask(other, 'subscriptions/listen', { notifications: { taskIds: [short, long] } });
    const told = (taskId: string) =>
      other.next(({ method, params }) => method === 'notifications/tasks' && params.taskId === taskId);
    expect((await told(short)).params).toMatchObject({ status: 'completed', result: { content: [{}] } });
    await owner.kill('SIGKILL');
    expect((await told(long)).params).toMatchObject({ status: 'failed', error: { data: { toolCode: 'INTERRUPTED' } } });
  });

  test('finds a task failed whose process was killed, and so does the next to start', async () => {
    const owner = await server();
    const other = await server(owner.home);
    const tasks = [await begin(owner, 'test_long', { ms: 60_000 }), await begin(owner, 'test_ask', { rounds: 1 })];
    await owner.kill('SIGKILL');
    const interrupted = {
      status: 'failed',
      statusMessage: expect.stringContaining('ended before it did'),
      error: { code: -32603, data: { toolCode: 'INTERRUPTED' } },
    };
    const [found] = tasks;
    expect((await ask(other, 'tasks/get', { taskId: found })).result).toMatchObject(interrupted);
    const next = await server(owner.home);
    for (const taskId of tasks) {
      expect((await ask(next, 'tasks/get', { taskId })).result).toMatchObject(interrupted);
      expect((await ask(next, 'tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    }
  });
});

test('killed at any moment, it forgets no task that it gave a handle for', async () => {
  const handles: string[] = [];
  let home: string | undefined;
  for (let round = 0; round < 5; round++) {
    const client = await server(home);
    home = client.home;
    const calls = Array.from({ length: 20 }, async (_, count) => {
      const { result } = await ask(client, 'tools/call', { name: 'test_long', arguments: { ms: count * 5 } });
      handles.push(result.taskId);
    });
    await calls[0];
    await sleep(round * 10);
    await client.kill('SIGKILL');
  }
  const client = await server(home);
  const found = await Promise.all(handles.map((taskId) => ask(client, 'tasks/get', { taskId })));
  expect(handles.length).toBeGreaterThan(5);
  for (const { result } of found) expect(['completed', 'failed']).toContain(result.status);
});

test('over HTTP a task goes on when its request has ended, and other requests ask for it', async () => {
  const { url } = await startHttp({ program: 'fixture' });
  const call = { name: 'test_long', arguments: { ms: 500 }, _meta };
  const { taskId } = (await stateless(url, 'tools/call', call)).message.result;
  expect((await stateless(url, 'tasks/get', { taskId, _meta })).message.result.status).toBe('working');
  const completed = await vi.waitUntil(
    async () => {
      const { message } = await stateless(url, 'tasks/get', { taskId, _meta });
      return message.result.status === 'completed' && message.result;
    },
    { timeout: 5000 },
  );
  expect(completed.result.structuredContent.data).toEqual({ waited: 500 });
});

describe('at the end of the server', () => {
  test('a task may finish', async () => {
    const client = await server();
    const taskId = await begin(client, 'test_long', { ms: 600 });
    expect(await client.end()).toBe(0);
    const next = await server(client.home);
    expect((await ask(next, 'tasks/get', { taskId })).result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { data: { waited: 600 } } },
    });
  });

  test('what takes longer than 5 s is interrupted and has failed', async () => {
    const client = await server();
    const taskId = await begin(client, 'test_long', { ms: 60_000 });
    const endedAt = performance.now();
    client.process.kill('SIGTERM');
    expect(await client.exited()).toBe(0);
    expect(performance.now() - endedAt).toBeGreaterThan(4900);
    expect(performance.now() - endedAt).toBeLessThan(8000);
    const next = await server(client.home);
    expect((await ask(next, 'tasks/get', { taskId })).result).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringContaining('interrupted'),
      error: { code: -32603, data: { toolCode: 'SERVER_STOPPING' } },
    });
  });
});

test('more than 256 at once are refused with the time to wait', async () => {
  const client = await server();
  const taskIds: string[] = [];
  for (let count = 0; count < 256; count++) taskIds.push(await begin(client, 'test_long', { ms: 60_000 }));
  const { error } = await ask(client, 'tools/call', { name: 'test_long', arguments: { ms: 1 } });
  expect(error).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } });
  await Promise.all(taskIds.slice(0, 10).map((taskId) => ask(client, 'tasks/cancel', { taskId })));
  await until(client, taskIds[0] as string, 'cancelled');
  await begin(client, 'test_long', { ms: 1 });
});
