import type { TraceEvent } from '@automatosx/contracts';

export type TraceStatus = 'success' | 'failure' | 'running';

/** Something that happened inside a call: a step of a workflow, a nested or upstream call, a choice. */
export interface TraceStep {
  readonly type: 'step.execute' | 'tool.invoke' | 'tool.result' | 'decision.routing' | 'error';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status?: 'success' | 'failure' | 'running' | 'skipped';
  readonly durationMs?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** One call as it is kept. Payloads are JSON text that is already redacted and bounded. */
export interface CallRecord {
  readonly traceId: string;
  readonly toolName: string;
  readonly workflowId: string;
  readonly status: TraceStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly durationMs?: number | undefined;
  readonly principal: string;
  readonly workspace: string;
  readonly sessionId?: string | undefined;
  readonly correlationId: string;
  readonly errorCode?: string | undefined;
  readonly toolCode?: string | undefined;
  readonly errorMessage?: string | undefined;
  /** JSON text. */
  readonly input: string;
  /** JSON text; absent while it runs. */
  readonly output?: string | undefined;
  readonly steps: readonly TraceStep[];
  readonly marks: TraceMarks;
}

/** What the layers noticed about a call. */
export interface TraceMarks {
  readonly replayed?: true;
  readonly cached?: true;
  readonly truncated?: true;
  /** What was wrong with the output, where it broke its schema. */
  readonly invalidOutput?: readonly string[];
  /** The limit that the call came close to. */
  readonly nearTimeoutMs?: number;
  readonly warnings?: readonly string[];
}

export const traceName = (record: Pick<CallRecord, 'toolName'>) => `mcp.tool.${record.toolName}`;

/** A finished call has these many events beside its steps: start, invoke, result, end, and an error if it failed. */
export const eventCountOf = ({ status, steps }: Pick<CallRecord, 'status' | 'steps'>): number =>
  steps.length + (status === 'running' ? 2 : status === 'failure' ? 5 : 4);

/** The events of a call in order. They are not kept one by one, because all but the steps follow from the record. */
export function toEvents(record: CallRecord): TraceEvent[] {
  const { toolName, status, errorCode, toolCode, errorMessage } = record;
  const input: unknown = JSON.parse(record.input);
  const events: TraceEvent[] = [];
  const add = (type: TraceEvent['type'], at: number, rest: Partial<TraceEvent> = {}) =>
    events.push({
      eventId: `${record.traceId}/${events.length}`,
      type,
      sequence: events.length,
      timestamp: new Date(at).toISOString(),
      correlationId: record.correlationId,
      ...rest,
    });

  add('run.start', record.startedAt, { payload: { name: traceName(record), workflowId: record.workflowId } });
  add('tool.invoke', record.startedAt, { payload: { toolName, input } });
  for (const { type, at, ...rest } of record.steps) add(type, at, rest as Partial<TraceEvent>);
  if (status === 'running') return events;

  const durationMs = record.durationMs ?? 0;
  const endedAt = record.startedAt + durationMs;
  const success = status === 'success';
  const failed = success ? {} : { errorCode, ...(toolCode && { toolCode }), errorMessage };
  if (!success) add('error', endedAt, { status, payload: { code: errorCode, toolCode, message: errorMessage } });
  add('tool.result', endedAt, {
    status,
    durationMs,
    payload: {
      type: 'mcp.toolCalled',
      toolName,
      input,
      output: record.output === undefined ? null : JSON.parse(record.output),
      success,
      durationMs,
      ...failed,
      ...record.marks,
    },
  });
  add('run.end', endedAt, { status, durationMs });
  return events;
}
