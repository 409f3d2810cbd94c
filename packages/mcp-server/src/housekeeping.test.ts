import { ConfigSchema } from '@automatosx/contracts/config';
import { createCache } from '@automatosx/mcp-runtime';
import { toNewEntry } from '@automatosx/memory-domain';
import {
  openDatabase,
  sqliteArtifactStore,
  sqliteIdempotencyStore,
  sqliteMemoryStore,
  sqliteTaskStore,
  sqliteTraceStore,
} from '@automatosx/storage';
import type { CallRecord, TraceStore } from '@automatosx/trace-domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHousekeeping } from './housekeeping.js';

const DAY_MS = 86_400_000;

/** `endInterrupted` stands in for that of the traces, to count its calls or to fail. */
function setup(endInterrupted?: TraceStore['endInterrupted']) {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const now = () => time;
  const config = () => ConfigSchema.parse({ trace: { retentionDays: 30 } });
  const database = openDatabase({ file: ':memory:', synchronous: () => 'normal' });
  const stores = {
    memory: sqliteMemoryStore(database, now),
    traces: sqliteTraceStore(database, now),
    idempotency: sqliteIdempotencyStore(database, now),
    artifacts: sqliteArtifactStore(database, now),
    tasks: sqliteTaskStore(database, now),
    cache: createCache({ config: () => config().cache, now }),
  };
  const log = vi.fn();
  const traces = { ...stores.traces, ...(endInterrupted && { endInterrupted }) };
  const housekeeping = createHousekeeping({ config, now, log, ...stores, traces });
  const pass = (ms: number) => {
    time += ms;
  };
  return { ...stores, housekeeping, log, pass, now };
}

const recordAt = (traceId: string, startedAt: number): CallRecord => ({
  traceId,
  toolName: 'memory_store',
  workflowId: 'mcp.tool.memory_store',
  status: 'success',
  startedAt,
  durationMs: 1,
  principal: 'user',
  workspace: '/',
  correlationId: 'c',
  input: '{}',
  output: '{}',
  steps: [],
  marks: {},
});

const page = { limit: 10, offset: 0 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('a sweep removes what has expired and keeps the rest', async () => {
  const { memory, traces, artifacts, tasks, housekeeping, pass, now } = setup();
  await memory.put(toNewEntry({ namespace: 'n', key: 'short', value: 1, ttlMs: 1000 }));
  await memory.put(toNewEntry({ namespace: 'n', key: 'lasting', value: 1 }));
  await traces.record(recordAt(traces.nextId(), now()));
  const artifact = (await artifacts.add('user', '[]')) as string;
  const task = { taskId: 't', principal: 'user', ttlMs: 1000 };
  await tasks.create(task);
  pass(31 * DAY_MS);
  await traces.record(recordAt(traces.nextId(), now()));
  await housekeeping.sweep();
  await tasks.create(task); // It could not be, were the old one still there.
  expect((await memory.list({ namespace: 'n', page })).items.map(({ key }) => key)).toEqual(['lasting']);
  expect((await traces.list({ principal: 'user', page })).total).toBe(1);
  expect(await artifacts.read('user', artifact, { offset: 0, length: 10 })).toBeUndefined();
});

test('started, it ends what an earlier process left, and sweeps every minute until it is stopped', async () => {
  const ended = vi.fn(async () => 0);
  const { memory, housekeeping, pass } = setup(ended);
  await housekeeping.start();
  expect(ended).toHaveBeenCalledTimes(1);
  await memory.put(toNewEntry({ namespace: 'n', key: 'short', value: 1, ttlMs: 1000 }));
  pass(2000);
  vi.advanceTimersByTime(60_000);
  await vi.waitUntil(async () => (await memory.list({ namespace: 'n', page })).total === 0);
  expect(ended).toHaveBeenCalledTimes(2);
  housekeeping.stop();
  vi.advanceTimersByTime(600_000);
  expect(ended).toHaveBeenCalledTimes(2);
});

test('it tells of calls that it ended', async () => {
  const { housekeeping, log } = setup(async () => 3);
  await housekeeping.sweep();
  expect(log).toHaveBeenCalledWith('info', expect.any(String), { count: 3 });
});

test('a failure is logged and tried again, and ends nothing', async () => {
  const error = new Error('disk full');
  const { housekeeping, log } = setup(() => Promise.reject(error));
  await housekeeping.start();
  expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('tried again'), { error });
  vi.advanceTimersByTime(60_000);
  await vi.waitUntil(() => log.mock.calls.length === 2);
  housekeeping.stop();
});
