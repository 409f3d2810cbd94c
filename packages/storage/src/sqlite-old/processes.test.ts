import { type MemoryHead, type MemoryStore, toNewEntry } from '@automatosx/memory-domain';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { sqliteIdempotencyStore } from './idempotency-store.js';
import { sqliteMemoryStore } from './memory-store.js';
import { children } from './testing/children.js';
import { temporary } from './testing/temporary.js';
import { sqliteTraceStore } from './trace-store.js';

const { path, open, clear } = temporary();
const processes = children(build);
beforeAll(processes.prepare);
afterAll(processes.remove);
afterEach(processes.clear);
afterEach(clear);

const DAY_MS = 86_400_000;
const file = () => path('automatosx.db');
const integrity = async (database: Database) =>
  (await database.read((connection) => connection.get('PRAGMA integrity_check')))?.integrity_check;

async function allEntries(store: MemoryStore): Promise<MemoryHead[]> {
  const entries: MemoryHead[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await store.list({ page: { limit: 1000, offset: 0, after } });
    entries.push(...items);
    after = next;
  } while (after !== undefined);
  return entries;
}

test('four processes write to one file at once: nothing is lost, and a counter has every step', async () => {
  const writers = ['a', 'b', 'c', 'd'].map((name) => processes.start('write', file(), name, '500'));
  const reports = await Promise.all(writers.map(async (writer) => JSON.parse(await writer.line())));
  const increments = reports.reduce((sum, report) => sum + report.increments, 0);
  const store = sqliteMemoryStore(open(), Date.now);
  const counter = await store.get('default', 'counter');
  expect([increments, counter?.json, counter?.version]).toEqual([400, '400', 400]);
  const entries = await allEntries(store);
  expect(entries).toHaveLength(2001);
  expect((await store.list({ page: { limit: 1, offset: 0 } })).total).toBe(2001);
  expect((await store.search({ text: 'd 4', in: 'key', page: { limit: 1, offset: 0 } })).total).toBe(111);
  expect(await integrity(open())).toBe('ok');
});

test('kill -9 under load, ten times: whatever was said to be stored is there', async () => {
  const said: string[] = [];
  for (let round = 0; round < 10; round++) {
    const flood = processes.start('flood', file(), `round ${round}`);
    await flood.line();
    await new Promise((resolve) => setTimeout(resolve, 30 + round * 15));
    await flood.kill('SIGKILL');
    said.push(...flood.lines);
  }
  const database = open();
  const stored = new Set((await allEntries(sqliteMemoryStore(database, Date.now))).map(({ key }) => key));
  expect(said.filter((key) => !stored.has(key))).toEqual([]);
  expect(said.length).toBeGreaterThan(100);
  const { total } = await sqliteMemoryStore(database, Date.now).list({ page: { limit: 1, offset: 0 } });
  expect([total, await integrity(database)]).toEqual([stored.size, 'ok']);
});

test('what another process stores is seen at once', async () => {
  const store = sqliteMemoryStore(open(), Date.now);
  expect(await store.get('default', 'visit')).toBeUndefined();
  expect(await processes.start('visit', file()).line()).toBe('stored');
  expect(await store.get('default', 'visit')).toMatchObject({ json: '1' });
  expect((await store.put(toNewEntry({ namespace: 'default', key: 'visit', value: 2 }))).version).toBe(2);
});

describe('a call that another process began', () => {
  const key = { principal: 'user', tool: 'slow', key: 'k' };
  const page = { limit: 10, offset: 0 };
  const begin = async () => {
    const database = open();
    const traces = sqliteTraceStore(database, Date.now);
    const traceId = traces.nextId();
    const other = processes.start('begin', file(), traceId);
    expect(await other.line()).toBe('begun');
    return { database, traces, traceId, other, idempotency: sqliteIdempotencyStore(database, Date.now) };
  };

  test('goes on as long as that lives, whatever the clock says', async () => {
    const { traces, traceId, idempotency, database } = await begin();
    for (const now of [Date.now(), Date.now() + 400 * DAY_MS, 0]) expect(await traces.endInterrupted(now)).toBe(0);
    expect(await traces.get('user', traceId)).toMatchObject({ status: 'running' });
    expect(await idempotency.claim(key, 'hash')).toEqual({ state: 'running' });
    const ahead = sqliteIdempotencyStore(database, () => Date.now() + DAY_MS - 60_000);
    expect(await ahead.claim(key, 'hash')).toEqual({ state: 'running' });
  });

  test('is ended as a failure, and its key is free, when that is gone', async () => {
    const { traces, traceId, other, idempotency } = await begin();
    await other.kill('SIGKILL');
    expect(await traces.endInterrupted(Date.now() + 5000)).toBe(1);
    expect(await traces.endInterrupted(Date.now() + 5000)).toBe(0);
    const ended = await traces.get('user', traceId);
    expect(ended).toMatchObject({ status: 'failure', errorCode: 'OPERATION_FAILED', toolCode: 'INTERRUPTED' });
    expect(ended?.durationMs).toBeGreaterThan(4000);
    for (const [status, total] of Object.entries({ running: 0, failure: 1, success: 0 })) {
      expect(await traces.list({ principal: 'user', status: status as 'running', page })).toMatchObject({ total });
    }
    expect(await idempotency.claim(key, 'other arguments')).toEqual({ state: 'claimed' });
  });

  test('cannot give back or complete a key that was taken over from it', async () => {
    const { database, other, idempotency } = await begin();
    await idempotency.release(key);
    await idempotency.complete(key, 'not ours');
    expect(await idempotency.claim(key, 'hash')).toEqual({ state: 'running' });
    await other.kill('SIGKILL');
    expect(await idempotency.claim(key, 'hash')).toEqual({ state: 'claimed' });
    expect(await database.read((connection) => connection.all('SELECT key FROM idempotency'))).toHaveLength(1);
  });

  test.each([
    ['lives on until a day after it began', 'elsewhere|1|x|y', DAY_MS - 60_000, 0],
    ['is given up a day after it began', 'elsewhere|1|x|y', DAY_MS + 60_000, 1],
  ])('on another host %s', async (_, owner, afterMs, count) => {
    const { traces, database } = await begin();
    await database.write((connection) => connection.run('UPDATE traces SET owner = ?', owner));
    expect(await traces.endInterrupted(Date.now() + afterMs)).toBe(count);
  });

  test('is over when only its number is in use again', async () => {
    const { traces, database } = await begin();
    const change = "UPDATE traces SET owner = replace(owner, '.', '.1')";
    await database.write((connection) => connection.run(change));
    expect(await traces.endInterrupted(Date.now())).toBe(process.platform === 'linux' ? 1 : 0);
  });
});
