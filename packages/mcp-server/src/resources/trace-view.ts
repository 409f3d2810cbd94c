import { type CallRecord, eventCountOf, type TraceHead, toEvents, traceName } from '@automatosx/trace-domain';
import { isoTime } from '../tools/paging.js';

/** A trace as lists show it. */
export const toTraceHead = (head: TraceHead) => ({
  traceId: head.traceId,
  name: traceName(head),
  workflowId: head.workflowId,
  toolName: head.toolName,
  status: head.status,
  startTime: isoTime(head.startedAt),
  endTime: head.durationMs === undefined ? undefined : isoTime(head.startedAt + head.durationMs),
  durationMs: head.durationMs ?? 0,
  eventCount: head.eventCount,
  correlationId: head.correlationId,
  sessionId: head.sessionId,
  errorCode: head.errorCode,
  toolCode: head.toolCode,
  replayed: head.replayed || undefined,
});

/** A trace with its events. */
export const toTrace = (record: CallRecord) => ({
  ...toTraceHead({ ...record, eventCount: eventCountOf(record), replayed: record.marks.replayed === true }),
  events: toEvents(record),
});
