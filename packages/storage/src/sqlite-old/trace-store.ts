import { LAYER_CODES } from '@automatosx/contracts';
import type { CallRecord, TraceQuery, TraceStore } from '@automatosx/trace-domain';
import type { Database } from './database.js';
import type { Connection, Row } from './driver.js';
import { all, countRows, equals, type Filter, listRows } from './filter.js';
import { isAlive } from './processes.js';
import { createTraceIds } from './trace-ids.js';
import { type Counted, countTraces, HEAD_COLUMNS, toCounted, toHead, toRecord, writeTrace } from './trace-rows.js';

/** How many traces one transaction removes, so that no call waits long for it. */
const SWEEP = 500;

export function sqliteTraceStore(database: Database, now: () => number): TraceStore {
  const ids = createTraceIds(now);
  const begun = new Map<string, Counted>();
  let finished: CallRecord[] = [];
  let written: Promise<void> = Promise.resolve();

  /** Writes all calls that finished in this turn, one after the other. */
  const flush = (connection: Connection) => {
    const records = finished;
    finished = [];
    const starts = records.map(({ traceId }) => begun.get(traceId)).filter((start) => start !== undefined);
    const rows = records.map((record) => writeTrace(connection, record));
    countTraces(connection, rows, 1);
    countTraces(connection, starts, -1);
    for (const { traceId } of records) begun.delete(traceId);
  };

  return {
    nextId: ids.next,

    begin: (record) =>
      database.atCommit((connection) => {
        const row = writeTrace(connection, record);
        countTraces(connection, [row], 1);
        begun.set(record.traceId, row);
      }),

    record: (record) => {
      finished.push(record);
      if (finished.length === 1) {
        written = database.atCommit(flush).catch((error) => {
          finished = [];
          throw error;
        });
      }
      return written;
    },

    get: (principal, traceId) =>
      database.read((connection) => {
        const row = connection.get('SELECT * FROM traces WHERE trace_id = ? AND principal = ?', traceId, principal);
        return row && toRecord(row);
      }),

    list: (query) =>
      database.read((connection) => {
        const filter = filterOf(query);
        const listing = { columns: HEAD_COLUMNS, table: 'traces', key: 'trace_id', order: 'DESC', filter } as const;
        const { items, next } = listRows(connection, { ...listing, page: query.page });
        return { items: items.map(toHead), total: totalOf(connection, query), next };
      }),

    endInterrupted: (at) =>
      database.write((connection) => {
        const newest = connection.get('SELECT max(trace_id) AS id FROM traces')?.id;
        if (newest) ids.startAfter(String(newest));
        const running = connection.all("SELECT * FROM traces WHERE status = 'running'");
        const orphans = running.filter(({ owner }) => !isAlive(String(owner), at));
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

const filterOf = ({ principal, status, toolName, sessionId, workspace }: TraceQuery): Filter =>
  all([
    // A constant that the planner can hold against the partial index of everybody else's traces.
    principal === 'user' ? { where: "principal = 'user'", values: [] } : equals('principal', principal),
    status === undefined || status === 'success'
      ? equals('status', status)
      : { where: `status = '${status}'`, values: [] },
    equals('tool', toolName),
    equals('session_id', sessionId),
    equals('workspace', workspace),
  ]);

/** Read off the counters, because counting a million rows takes long. One session's rows are few enough to count. */
function totalOf(connection: Connection, query: TraceQuery): number {
  if (query.sessionId !== undefined) return countRows(connection, 'traces', filterOf(query));
  const { where, values } = filterOf(query);
  return Number(
    connection.get(`SELECT sum(entries) AS entries FROM trace_counts WHERE ${where}`, ...values)?.entries ?? 0,
  );
}

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
