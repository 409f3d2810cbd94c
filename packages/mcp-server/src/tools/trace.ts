import { ToolError, traceAnalyze, traceGet, traceList } from '@automatosx/contracts';
import { implement, type Tool } from '@automatosx/mcp-runtime';
import { analyze, eventCountOf, type TraceStore } from '@automatosx/trace-domain';
import { toTrace, toTraceHead } from '../resources/trace-view.js';
import { paged, pageFrom } from './paging.js';

export const traceTools = (traces: TraceStore): Tool[] => [
  implement(traceList, async (request, { principal }) => {
    const { status, toolName, sessionId, workspace } = request;
    const page = pageFrom('trace_list', request);
    const listed = await traces.list({ principal, status, toolName, sessionId, workspace, page });
    return { traces: listed.items.map(toTraceHead), ...paged('trace_list', request, listed) };
  }),

  implement(traceGet, async ({ traceId }, { principal }) => {
    const record = (await traces.get(principal, traceId)) ?? missing(traceId);
    return toTrace(record);
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
