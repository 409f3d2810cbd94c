import { ToolError } from '@automatosx/contracts';
import { createCancellation, NO_CLIENT, type Progress, type TaskStore } from '@automatosx/mcp-runtime';
import { openDatabase, sqliteTaskStore } from '@automatosx/storage';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RpcError } from '../protocol/json-rpc.js';
import { createTasks } from './create-tasks.js';
import type { Way, Work } from './running-task.js';

const done = async () => ({ isError: false, json: '{"content":[]}' });
const never = () => new Promise<never>(() => {});
/** As a call does: it ends with an error as soon as it is cancelled. */
const untilCancelled = ({ cancellation }: Way) =>
  new Promise<{ isError: boolean; json: string }>((resolve) =>
    cancellation.onCancel(() => resolve({ isError: true, json: '{"isError":true}' })),
  );

function setup(changed: Partial<TaskStore> = {}) {
  const database = openDatabase({ file: ':memory:', synchronous: () => 'normal' });
  const store = { ...sqliteTaskStore(database, Date.now), ...changed };
  const log = vi.fn();
  const tasks = createTasks({ store, log });
  const begin = (work: Work = done, principal = 'ada', cancellation = createCancellation()) =>
    tasks.begin({ principal, client: NO_CLIENT, cancellation }, work);
  /** The task when it is no longer as it was begun. */
  const later = async (taskId: string) => {
    await vi.waitUntil(async () => (await store.get('ada', taskId))?.status !== 'working', { interval: 5 });
    return store.get('ada', taskId);
  };
  return { tasks, store, log, begin, later };
}

afterEach(() => void vi.useRealTimers());

test('the handle comes before the work begins, and cannot be guessed', async () => {
  const { begin, later } = setup();
  const work = vi.fn(done);
  const { taskId, status, ttlMs } = await begin(work);
  expect([status, ttlMs]).toEqual(['working', 86_400_000]);
  expect(work).not.toHaveBeenCalled();
  expect(taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(await later(taskId)).toMatchObject({ status: 'completed', outcome: '{"content":[]}' });
});

describe('a task has failed', () => {
  test('where the call ends with an error of the protocol', async () => {
    const { begin, later } = setup();
    const { taskId } = await begin(() => Promise.reject(new RpcError(-32602, 'wrong', { a: 1 })));
    const failed = await later(taskId);
    expect(failed).toMatchObject({ status: 'failed', message: 'wrong' });
    expect(JSON.parse(failed?.outcome ?? '')).toEqual({ code: -32602, message: 'wrong', data: { a: 1 } });
  });

  test('where there is a bug, of which the client hears nothing and the log everything', async () => {
    const { begin, later, log } = setup();
    const error = new TypeError('/home/ada/secret');
    const { taskId } = await begin(() => Promise.reject(error));
    expect(JSON.parse((await later(taskId))?.outcome ?? '')).toEqual({ code: -32603, message: 'Internal error' });
    expect(log).toHaveBeenCalledWith('error', expect.any(String), { taskId, error });
  });

  test('where the result has more than 64 MiB, and says so', async () => {
    const { begin, later } = setup();
    const ofSize = (bytes: number) => async () => ({ isError: false, json: JSON.stringify('x'.repeat(bytes - 2)) });
    const [fits, tooLarge] = [await begin(ofSize(67_108_864)), await begin(ofSize(67_108_865))];
    expect((await later(fits.taskId))?.status).toBe('completed');
    expect(await later(tooLarge.taskId)).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/67108865/),
    });
  });
});

test('progress is told as a message, with or without words', async () => {
  const { begin, store } = setup();
  const saying = (update: Progress) =>
    begin(({ progress }) => {
      progress(update);
      return never();
    });
  const updates = [{ progress: 1, total: 4, message: 'x'.repeat(2000) }, { progress: 2, total: 4 }, { progress: 3 }];
  const begun = await Promise.all(updates.map(saying));
  await vi.waitUntil(async () => (await store.get('ada', begun[2]?.taskId ?? ''))?.message, { timeout: 2000 });
  const messages = await Promise.all(begun.map(async ({ taskId }) => (await store.get('ada', taskId))?.message));
  expect(messages).toEqual(['x'.repeat(1000), '2 of 4', '3']);
});

describe('cancelling', () => {
  test('stops the work at once in its own process', async () => {
    const { tasks, begin, later } = setup();
    const { taskId } = await begin(untilCancelled);
    expect(await tasks.cancel('ada', taskId)).toBe(true);
    const cancelled = await later(taskId);
    expect(cancelled).toMatchObject({ status: 'cancelled', message: expect.stringContaining('cancelled') });
    expect(cancelled?.outcome).toBeUndefined();
  });

  test('is heard of within half a second when it was left in the store', async () => {
    const { store, begin, later } = setup();
    const { taskId } = await begin(untilCancelled);
    const askedAt = performance.now();
    await store.cancel('ada', taskId);
    expect((await later(taskId))?.status).toBe('cancelled');
    expect(performance.now() - askedAt).toBeLessThan(700);
  });

  test('does nothing to what succeeds all the same', async () => {
    const { tasks, begin, later } = setup();
    const { taskId } = await begin(async (way) => {
      await untilCancelled(way);
      return done();
    });
    await tasks.cancel('ada', taskId);
    expect((await later(taskId))?.status).toBe('completed');
  });

  test('the request before it got its handle cancels the task too', async () => {
    const { begin, later } = setup();
    const cancellation = createCancellation();
    const begun = begin(untilCancelled, 'ada', cancellation);
    cancellation.cancel(new ToolError('CANCELLED', 'test'));
    expect((await later((await begun).taskId))?.status).toBe('cancelled');
  });

  test('is not for others', async () => {
    const { tasks, begin, store } = setup();
    const { taskId } = await begin(untilCancelled);
    expect([await tasks.cancel('bob', taskId), await tasks.cancel('ada', 'unknown')]).toEqual([false, false]);
    expect((await store.get('ada', taskId))?.status).toBe('working');
  });
});

test('256 run for one principal and 1,024 in all; the rest are refused until one has ended', async () => {
  const { tasks, begin, later } = setup();
  const tooMany = { code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } };
  const [first] = await Promise.all(Array.from({ length: 256 }, () => begin(untilCancelled)));
  await expect(begin(done)).rejects.toMatchObject(tooMany);
  const others = ['bob', 'cy', 'dan'].flatMap((name) => Array.from({ length: 256 }, () => begin(untilCancelled, name)));
  await Promise.all(others);
  await expect(begin(done, 'eve')).rejects.toMatchObject(tooMany);
  await tasks.cancel('ada', first?.taskId ?? '');
  await later(first?.taskId ?? '');
  await vi.waitUntil(() => begin(done, 'eve').catch(() => undefined));
});

describe('a store that fails', () => {
  const failure = new ToolError('STORAGE_UNAVAILABLE', 'The disk is full', { retryAfterMs: 1000 });
  const told = { code: -32000, message: 'The disk is full', data: { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1000 } };

  test('is told of, and the work is not begun', async () => {
    const work = vi.fn(done);
    const { begin, tasks } = setup({ create: () => Promise.reject(failure), get: () => Promise.reject(failure) });
    await expect(begin(work)).rejects.toMatchObject(told);
    await expect(tasks.get('ada', 'x')).rejects.toMatchObject(told);
    await new Promise(setImmediate);
    expect(work).not.toHaveBeenCalled();
    await tasks.stop();
  });

  test('is asked again until it has kept how the task ended', async () => {
    const end = vi.fn().mockRejectedValueOnce(failure).mockResolvedValue(undefined);
    const { begin, tasks, log } = setup({ end });
    await begin();
    await vi.waitUntil(() => end.mock.calls.length === 2, { timeout: 3000 });
    expect(log).toHaveBeenCalledWith('error', expect.stringContaining('tried again'), expect.any(Object));
    await tasks.stop();
  });
});

describe('stopping', () => {
  test('waits for what ends by itself', async () => {
    const { tasks, begin, store } = setup();
    const { taskId } = await begin(done);
    await tasks.stop();
    expect((await store.get('ada', taskId))?.status).toBe('completed');
  });

  test('interrupts the rest after 5 s, which then has failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { tasks, begin, store } = setup();
    const [obedient] = [await begin(untilCancelled), await begin(never)];
    const stopped = tasks.stop();
    await vi.advanceTimersByTimeAsync(4999);
    expect((await store.get('ada', obedient.taskId))?.status).toBe('working');
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(250);
    await stopped;
    const failed = await store.get('ada', obedient.taskId);
    expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('interrupted') });
    expect(JSON.parse(failed?.outcome ?? '')).toMatchObject({ data: { toolCode: 'SERVER_STOPPING' } });
  });
});
