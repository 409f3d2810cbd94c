import type { CallRecord } from '@automatosx/trace-domain';
import { traceStoreContract } from '@automatosx/trace-domain/store.contract';
import { afterEach, describe, expect, test } from 'vitest';
import { type Connection, connect } from './driver.js';
import { plansOf } from './testing/plans.js';
import { temporary } from './testing/temporary.js';
import { sqliteTraceStore } from './trace-store.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { path, open, clear } = temporary();
afterEach(clear);

function traces(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  const restart = () => sqliteTraceStore(database, () => clock.now);
  return { database, clock, restart, store: restart() };
}

describe('sqlite in a file', () => traceStoreContract(() => traces()));
describe('sqlite in memory', () => traceStoreContract(() => traces(':memory:')));

const recordOf = (traceId: string, rest: Partial<CallRecord> = {}): CallRecord => ({
  traceId,
  toolName: 'memory_store',
  workflowId: 'mcp.tool.memory_store',
  status: 'success',
  startedAt: NOON,
  durationMs: 1,
  principal: 'user',
  workspace: '/work',
  correlationId: 'c',
  input: '{}',
  output: '{}',
  steps: [],
  marks: {},
  ...rest,
});
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const bad = (connection: Connection) => void connection.run('INSERT INTO changes (topic) VALUES (NULL)');
const page = { limit: 10, offset: 0 };

describe('when a turn fails', () => {
  test('a call recorded as soon as that is known is kept', async () => {
    const { store, database } = traces();
    const [lost, kept] = [recordOf(store.nextId()), recordOf(store.nextId())];
    const first = expect(store.record(lost)).rejects.toThrow();
    await database.atCommit(bad).catch(() => store.record(kept));
    await first;
    expect(await store.get('user', lost.traceId)).toBeUndefined();
    expect(await store.get('user', kept.traceId)).toEqual(kept);
    expect((await store.list({ principal: 'user', page })).total).toBe(1);
  });

  test('a start that was lost is not taken off the counters at the end', async () => {
    const { store, database } = traces();
    const running = recordOf(store.nextId(), { status: 'running', durationMs: undefined, output: undefined });
    const outcomes = await Promise.allSettled([store.begin(running), database.atCommit(bad)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await nextTurn();
    await store.record(recordOf(running.traceId));
    for (const [status, total] of Object.entries({ running: 0, success: 1 })) {
      expect(await store.list({ principal: 'user', status: status as 'running', page })).toMatchObject({ total });
    }
  });

  test('a record that cannot be written leaves no half of its turn behind', async () => {
    const { store } = traces();
    const broken = recordOf(store.nextId(), { steps: [{ type: 'error', at: 1, payload: { number: 1n } }] });
    const outcomes = await Promise.allSettled([store.record(recordOf(store.nextId())), store.record(broken)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await nextTurn();
    await store.record(recordOf(store.nextId()));
    const { items, total } = await store.list({ principal: 'user', page });
    expect([items.length, total]).toEqual([1, 1]);
  });
});

test('the calls that finish while another holds the lock are kept when it is free', async () => {
  const { store } = traces();
  await store.record(recordOf(store.nextId()));
  const other = connect(path('automatosx.db'));
  other.exec('BEGIN IMMEDIATE');
  const kept: Promise<void>[] = [];
  for (let turn = 0; turn < 5; turn++) {
    kept.push(store.record(recordOf(store.nextId())), store.record(recordOf(store.nextId())));
    await nextTurn();
  }
  other.exec('COMMIT');
  await Promise.all(kept);
  expect((await store.list({ principal: 'user', page })).total).toBe(11);
});

test('counts apart what only looks the same when it is put together', async () => {
  const { store } = traces();
  await Promise.all([
    store.record(recordOf(store.nextId(), { principal: 'a\nb', workspace: 'c' })),
    store.record(recordOf(store.nextId(), { principal: 'a', workspace: 'b\nc' })),
  ]);
  for (const principal of ['a', 'a\nb']) expect((await store.list({ principal, page })).total).toBe(1);
});

test('gives the room of what it prunes back to the disk, a part at a time', async () => {
  const { store, database } = traces();
  const input = JSON.stringify('x'.repeat(5000));
  await Promise.all(Array.from({ length: 600 }, () => store.record(recordOf(store.nextId(), { input }))));
  const pages = () => database.read((connection) => Number(connection.get('PRAGMA page_count')?.page_count));
  const before = await pages();
  while (await store.prune({ olderThan: NOON + 1, maxBytes: 0 })) await nextTurn();
  for (let round = 0; round < 8; round++) {
    await nextTurn();
    await store.record(recordOf(store.nextId()));
    await store.prune({ olderThan: NOON + 1, maxBytes: 0 });
  }
  expect(await pages()).toBeLessThan(before / 3);
});

test.each([
  [{}, 'traces'],
  [{ status: 'failure' }, 'traces_by_status'],
  [{ status: 'running' }, 'traces_by_status'],
  [{ toolName: 'memory_store' }, 'traces_by_tool'],
  [{ sessionId: 's' }, 'traces_by_session'],
  [{ workspace: '/work' }, 'traces_by_workspace'],
  [{ principal: 'bob' }, 'traces_by_principal'],
] as const)('the filter %j is answered by %s', async (filter, index) => {
  const { store, database } = traces();
  await store.record(recordOf(store.nextId(), { sessionId: 's', status: 'failure', ...filter }));
  const plans = await plansOf(database, () => store.list({ principal: 'user', ...filter, page }));
  expect(plans).toMatch(new RegExp(`(SCAN|INDEX) ${index}\\b`));
  expect(plans).not.toContain('TEMP B-TREE');
});

test.each([
  ['user', 'PRIMARY KEY (trace_id>? AND trace_id<?)'],
  ['bob', 'INDEX traces_by_principal (principal=? AND trace_id>? AND trace_id<?)'],
])('ids of %s that begin with a text are found by their key', async (principal, found) => {
  const { store, database } = traces();
  const plans = await plansOf(database, () => store.ids({ principal, prefix: '01', limit: 10 }));
  expect(plans).toContain(found);
  expect(plans).not.toContain('TEMP B-TREE');
});
