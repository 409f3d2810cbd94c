import { ToolError, traceAnalyze, traceGet, traceList } from '@automatosx/contracts';
import { implement, type Tool } from '@automatosx/mcp-runtime';
import { analyze, eventCountOf, type TraceHead, type TraceStore, toEvents, traceName } from '@automatosx/trace-domain';
import { isoTime, paged, pageFrom } from './paging.js';

export const traceTools = (traces: TraceStore): Tool[] => [
  implement(traceList, async (request, { principal }) => {
    const { status, toolName, sessionId, workspace } = request;
    const page = pageFrom('trace_list', request);
    const listed = await traces.list({ principal, status, toolName, sessionId, workspace, page });
    return { traces: listed.items.map(headOf), ...paged('trace_list', request, listed) };
  }),

  implement(traceGet, async ({ traceId }, { principal }) => {
    const record = (await traces.get(principal, traceId)) ?? missing(traceId);
    const head = headOf({ ...record, eventCount: eventCountOf(record), replayed: record.marks.replayed === true });
    return { ...head, events: toEvents(record) };
  }),

  implement(traceAnalyze, async ({ traceId }, { principal, progress }) => {
    progress({ progress: 0, total: 2, message: 'Reading the trace' });
    const record = (await traces.get(principal, traceId)) ?? missing(traceId);
    progress({ progress: 1, total: 2, message: `Analysing ${eventCountOf(record)} events` });
    const analysis = analyze(record);
    progress({ progress: 2, total: 2, message: `Found ${analysis.issues.length} issues` });
    return analysis;
  }),
];

function missing(traceId: string): never {
  throw new ToolError('TRACE_NOT_FOUND', `There is no trace ${traceId}`, { context: { traceId } });
}

const headOf = (head: TraceHead) => ({
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
