import { setTimeout as sleep } from 'node:timers/promises';
import { LAYER_CODES } from '@automatosx/contracts';
import type { CallRecord, TraceQuery, TraceStatus, TraceStore } from '@automatosx/trace-domain';
import type { Database } from './database.js';
import type { Connection, Row } from './driver.js';
import { ANY, all, beginningWith, countRows, equals, type Filter, listRows, type Source } from './filter.js';
import { isAlive } from './processes.js';
import { createTraceIds } from './trace-ids.js';
import { addTraces, countTraces, HEAD_COLUMNS, toCounted, toHead, toRecord, writeTrace } from './trace-rows.js';

/** How many traces one transaction removes, so that no call waits long for it. */
const SWEEP = 500;

/** So many calls do not wait for others of the turn: there are places for a few hundred at once. */
const ENOUGH = 64;

/** How long an answer waits for its trace while another process holds the lock; the trace is written all the same. */
const PATIENCE_MS = 250;

export function sqliteTraceStore(database: Database, now: () => number): TraceStore {
  const ids = createTraceIds(now);
  const begun = new Set<string>();
  /** The calls that finished in this turn, which are written together. */
  let batch: { readonly records: CallRecord[]; readonly written: Promise<void> } | undefined;

  const write = (connection: Connection, records: readonly CallRecord[]) => {
    const long = begun.size === 0 ? [] : records.filter(({ traceId }) => begun.has(traceId));
    const starts = long.map(({ traceId }) => find(connection, traceId));
    const rows = addTraces(
      connection,
      long.length === 0 ? records : records.filter(({ traceId }) => !begun.has(traceId)),
    );
    countTraces(connection, [...rows, ...long.map((record) => writeTrace(connection, record))], 1);
    countTraces(connection, starts.filter((start) => start !== undefined).map(toCounted), -1);
    for (const { traceId } of records) begun.delete(traceId);
  };

  const startBatch = () => {
    const records: CallRecord[] = [];
    const close = () => {
      if (batch?.records === records) batch = undefined;
    };
    const written = database.atCommit((connection) => {
      close();
      write(connection, records);
    });
    written.catch(close); // Where there was no transaction to write them in.
    return { records, written };
  };

  const patiently = (written: Promise<void>): Promise<void> =>
    database.isWaiting() ? Promise.race([written, sleep(PATIENCE_MS, undefined, { ref: false })]) : written;

  return {
    nextId: ids.next,

    begin: (record) =>
      patiently(
        database.atCommit((connection) => {
          countTraces(connection, [writeTrace(connection, record)], 1);
          begun.add(record.traceId);
        }),
      ),

    record: (record) => {
      batch ??= startBatch();
      batch.records.push(record);
      if (batch.records.length === ENOUGH) database.hurry();
      // Asked for each call: one whose changes are in the open transaction waits for the commit, however long others have.
      return patiently(batch.written);
    },

    get: (principal, traceId) =>
      database.read((connection) => {
        const row = connection.get('SELECT * FROM traces WHERE trace_id = ? AND principal = ?', traceId, principal);
        return row && toRecord(row);
      }),

    list: (query) =>
      database.read((connection) => {
        const total = totalOf(connection, query);
        if (total === 0) return { items: [], total };
        const { items, next } = listRows(connection, { ...tracesOf(query), ...LISTING, page: query.page });
        return { items: items.map(toHead), total, next };
      }),

    ids: ({ principal, prefix, limit }) =>
      database.read((connection) => {
        const { where, values } = all([withPrincipal(principal), beginningWith(prefix, 'trace_id')]);
        const newest = `SELECT trace_id FROM traces WHERE ${where} ORDER BY trace_id DESC LIMIT ?`;
        return connection.all(newest, ...values, limit).map(({ trace_id }) => String(trace_id));
      }),

    endInterrupted: (at) =>
      database.write((connection) => {
        const newest = connection.get('SELECT max(trace_id) AS id FROM traces')?.id;
        if (newest) ids.startAfter(String(newest));
        const { where } = withStatus('running');
        const orphans = connection
          .all(`SELECT * FROM traces WHERE ${where}`)
          .filter(({ owner, started_at }) => !isAlive(String(owner), { begunAt: Number(started_at), now: at }));
        const ended = orphans.map((row) => writeTrace(connection, interrupted(toRecord(row), at)));
        countTraces(connection, orphans.map(toCounted), -1);
        countTraces(connection, ended, 1);
        return orphans.length;
      }),

    prune: ({ olderThan, maxBytes }) =>
      database.write((connection) => {
        const doomed = doomedRows(connection, olderThan, maxBytes);
        for (const { trace_id = null } of doomed) connection.run('DELETE FROM traces WHERE trace_id = ?', trace_id);
        countTraces(connection, doomed.map(toCounted), -1);
        if (doomed.length > 0) connection.exec('PRAGMA incremental_vacuum(200)');
        return doomed.length === SWEEP;
      }),
  };
}

const LISTING = { columns: HEAD_COLUMNS, order: 'DESC' } as const;

const tracesOf = (query: TraceQuery): Source => ({
  table: 'traces',
  key: 'trace_id',
  keyType: 'text',
  filter: filterOf(query),
});

const filterOf = ({ principal, status, toolName, sessionId, workspace }: TraceQuery): Filter =>
  all([
    withPrincipal(principal),
    status === undefined ? ANY : withStatus(status),
    equals('tool', toolName),
    equals('session_id', sessionId),
    equals('workspace', workspace),
  ]);

// A partial index is used only where its own condition stands in the query, word for word.
const withPrincipal = (principal: string): Filter =>
  principal === 'user'
    ? equals('principal', principal)
    : { where: "principal = ? AND principal <> 'user'", values: [principal] };

const withStatus = (status: TraceStatus): Filter =>
  status === 'success'
    ? equals('status', status)
    : { where: `status = '${status}' AND status <> 'success'`, values: [] };

/** Read off the counters, because counting a million rows takes long. One session's rows are few enough to count. */
function totalOf(connection: Connection, query: TraceQuery): number {
  if (query.sessionId !== undefined) return countRows(connection, tracesOf(query));
  const { where, values } = filterOf(query);
  return Number(
    connection.get(`SELECT sum(entries) AS entries FROM trace_counts WHERE ${where}`, ...values)?.entries ?? 0,
  );
}

const find = (connection: Connection, traceId: string): Row | undefined =>
  connection.get('SELECT principal, workspace, tool, status, size FROM traces WHERE trace_id = ?', traceId);

function interrupted(record: CallRecord, at: number): CallRecord {
  return {
    ...record,
    status: 'failure',
    durationMs: Math.max(0, at - record.startedAt),
    errorCode: LAYER_CODES.INTERRUPTED,
    toolCode: 'INTERRUPTED',
    errorMessage: 'The process that ran this call ended before it did',
  };
}

/** The oldest, as long as they are too old or there is too much in all. Running calls stay. */
function doomedRows(connection: Connection, olderThan: number, maxBytes: number): Row[] {
  let excess = Number(connection.get('SELECT sum(bytes) AS bytes FROM trace_counts')?.bytes ?? 0) - maxBytes;
  const oldest = connection.all(
    `SELECT trace_id, started_at, size, principal, workspace, tool, status FROM traces
     WHERE status <> 'running' ORDER BY trace_id LIMIT ?`,
    SWEEP,
  );
  return oldest.filter(({ started_at, size }) => {
    const isDoomed = Number(started_at) < olderThan || excess > 0;
    if (isDoomed) excess -= Number(size);
    return isDoomed;
  });
}
