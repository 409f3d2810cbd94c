import { type CallRecord, eventCountOf, type TraceHead, type TraceStatus } from '@automatosx/trace-domain';
import type { Connection, Row, Value } from './driver.js';
import { thisProcess } from './processes.js';

/** What `trace_list` shows, without the payloads. */
export const HEAD_COLUMNS = `trace_id, tool, workflow_id, status, started_at, duration_ms, events, principal, workspace,
  session_id, correlation_id, error_code, tool_code, replayed`;

const COLUMNS = `${HEAD_COLUMNS}, owner, size, body`;
const PLACES = `(${COLUMNS.split(',')
  .map(() => '?')
  .join(', ')})`;
const insertion = (rows: number) => `INTO traces (${COLUMNS}) VALUES ${Array(rows).fill(PLACES).join(', ')}`;
const REPLACE = `INSERT OR REPLACE ${insertion(1)}`;
const INSERT = `INSERT ${insertion(1)}`;
const CHUNK = 16;
const INSERT_CHUNK = `INSERT ${insertion(CHUNK)}`;

/** What the counters count by. */
export interface Counted {
  readonly principal: string;
  readonly workspace: string;
  readonly tool: string;
  readonly status: string;
  readonly size: number;
}

/** Writes the row; a long call's row replaces the one of its start. */
export function writeTrace(connection: Connection, record: CallRecord): Counted {
  const values: Value[] = [];
  const counted = pushRow(values, record);
  connection.run(REPLACE, ...values);
  return counted;
}

/** Writes the rows of calls that have none yet. */
export function addTraces(connection: Connection, records: readonly CallRecord[]): Counted[] {
  const counted: Counted[] = [];
  let start = 0;
  while (start < records.length) {
    const count = start + CHUNK <= records.length ? CHUNK : 1;
    const values: Value[] = [];
    for (const end = start + count; start < end; start++) counted.push(pushRow(values, records[start] as CallRecord));
    connection.run(count === CHUNK ? INSERT_CHUNK : INSERT, ...values);
  }
  return counted;
}

function pushRow(values: Value[], record: CallRecord): Counted {
  const body = bodyOf(record);
  const size = Buffer.byteLength(body);
  const { principal, workspace, toolName: tool, status } = record;
  values.push(record.traceId, tool, record.workflowId, status, record.startedAt, record.durationMs ?? null);
  values.push(eventCountOf(record), principal, workspace, record.sessionId ?? null, record.correlationId);
  values.push(record.errorCode ?? null, record.toolCode ?? null, record.marks.replayed ? 1 : 0);
  values.push(status === 'running' ? thisProcess : null, size, body);
  return { principal, workspace, tool, status, size };
}

/** The payloads are JSON text already; only what is around them is made here. */
function bodyOf({ input, output, steps, marks, errorMessage }: CallRecord): string {
  let body = `{"input":${input}`;
  if (output !== undefined) body += `,"output":${output}`;
  if (steps.length > 0) body += `,"steps":${JSON.stringify(steps)}`;
  if (errorMessage !== undefined) body += `,"errorMessage":${JSON.stringify(errorMessage)}`;
  const marked = JSON.stringify(marks);
  return marked === '{}' ? `${body}}` : `${body},"marks":${marked}}`;
}

/** Adds to the counters that `total` is read from; rows of a turn that count alike are added once. */
export function countTraces(connection: Connection, rows: readonly Counted[], sign: 1 | -1): void {
  const sums = new Map<string, { -readonly [K in keyof Counted]: Counted[K] } & { entries: number }>();
  for (const row of rows) {
    const key = `${row.principal}\0${row.workspace}\0${row.tool}\0${row.status}`;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { ...row, entries: 1 });
    } else {
      sum.size += row.size;
      sum.entries += 1;
    }
  }
  for (const { principal, workspace, tool, status, entries, size } of sums.values()) {
    connection.run(
      `INSERT INTO trace_counts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (principal, workspace, tool, status)
       DO UPDATE SET entries = entries + excluded.entries, bytes = bytes + excluded.bytes`,
      ...[principal, workspace, tool, status, sign * entries, sign * size],
    );
  }
}

const optional = (value: unknown): string | undefined => (value === null ? undefined : String(value));

export const toCounted = (row: Row): Counted => ({
  principal: String(row.principal),
  workspace: String(row.workspace),
  tool: String(row.tool),
  status: String(row.status),
  size: Number(row.size),
});

export const toHead = (row: Row): TraceHead => ({
  traceId: String(row.trace_id),
  toolName: String(row.tool),
  workflowId: String(row.workflow_id),
  status: row.status as TraceStatus,
  startedAt: Number(row.started_at),
  durationMs: row.duration_ms === null ? undefined : Number(row.duration_ms),
  eventCount: Number(row.events),
  principal: String(row.principal),
  workspace: String(row.workspace),
  sessionId: optional(row.session_id),
  correlationId: String(row.correlation_id),
  errorCode: optional(row.error_code),
  toolCode: optional(row.tool_code),
  replayed: row.replayed === 1,
});

export function toRecord(row: Row): CallRecord {
  const { input, output, steps = [], marks = {}, errorMessage } = JSON.parse(String(row.body));
  const { eventCount, replayed, ...head } = toHead(row);
  return {
    ...head,
    input: JSON.stringify(input),
    output: output === undefined ? undefined : JSON.stringify(output),
    steps,
    marks,
    errorMessage,
  };
}
