import type { Handler, ToolAnswer, ToolCall } from '@automatosx/mcp-runtime';
import type { CallRecord, Redactor, TraceMarks, TraceStore } from '@automatosx/trace-domain';

/** What it takes to keep a trace: where to, how secrets are taken out, and what to do when it cannot be kept. */
export interface TraceRecorder {
  readonly store: TraceStore;
  readonly redactor: () => Redactor;
  readonly now: () => number;
  /** Hears how each call ended. */
  readonly onEnd: (toolName: string, envelope: ToolAnswer['envelope']) => void;
  /** The answer is given all the same; the loss is counted and logged. */
  readonly onLost: (toolName: string, error: unknown) => void;
  /** The answer for a call whose changes were lost together with its trace. */
  readonly toFailure: (call: ToolCall, error: unknown) => ToolAnswer;
}

export type AnswerHandler = Handler<ToolAnswer>;

/** Every call leaves exactly one trace, and it is durable before the answer leaves (INV-MCP-007, -009). */
export const withTracing =
  (toolName: string, handler: AnswerHandler, recorder: TraceRecorder): AnswerHandler =>
  async (call) => {
    const { store, now } = recorder;
    const traceId = store.nextId();
    const start = startOf(call, { traceId, toolName, startedAt: now() });
    if (call.tool.contract.category === 'execution') {
      // Long work leaves its start behind, so that a crash in the middle of it can be told.
      const running: CallRecord = { ...start, status: 'running', input: recorder.redactor().json(call.input) };
      await store.begin(running).catch((error) => recorder.onLost(toolName, error));
    }
    const answer = await handler(call);
    recorder.onEnd(toolName, answer.envelope);
    try {
      await store.record(finished(start, call, { answer, recorder }));
      return answer;
    } catch (error) {
      recorder.onLost(toolName, error);
      // What only read, or acted outside the store, has happened; what should have been stored has not.
      return call.tool.contract.effect === 'store' && answer.envelope.success
        ? recorder.toFailure(call, error)
        : answer;
    }
  };

/** Wraps all handlers of a registry. */
export const wrapHandlersWithTracing = (
  handlers: Readonly<Record<string, AnswerHandler>>,
  recorder: TraceRecorder,
): Record<string, AnswerHandler> =>
  Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, withTracing(name, handler, recorder)]));

type Start = Omit<CallRecord, 'status' | 'input'>;

function startOf(
  call: ToolCall,
  { traceId, toolName, startedAt }: { traceId: string; toolName: string; startedAt: number },
): Start {
  const { principal, workspace, correlationId, sessionId } = call.context;
  return {
    traceId,
    toolName,
    workflowId: `mcp.tool.${toolName}`,
    startedAt,
    principal,
    workspace,
    correlationId,
    sessionId: asSessionId((call.input as { sessionId?: unknown } | undefined)?.sessionId) ?? asSessionId(sessionId),
    steps: [],
    marks: {},
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Anything else names no session, and could be a secret that somebody put in the wrong place. */
const asSessionId = (named: unknown): string | undefined =>
  typeof named === 'string' && UUID.test(named) ? named : undefined;

function finished(
  start: Start,
  call: ToolCall,
  { answer, recorder }: { answer: ToolAnswer; recorder: TraceRecorder },
): CallRecord {
  const { envelope, text } = answer;
  const { steps } = call.facts;
  const redactor = recorder.redactor();
  const error = envelope.success ? undefined : envelope.error;
  const toolCode = error?.context?.toolCode;
  // Field by field: with `{...start, …}` V8 leaves its fast path for the record and for all who read it (10 µs a call).
  return {
    traceId: start.traceId,
    toolName: start.toolName,
    workflowId: start.workflowId,
    status: envelope.success ? 'success' : 'failure',
    startedAt: start.startedAt,
    durationMs: envelope.metadata.durationMs,
    principal: start.principal,
    workspace: start.workspace,
    sessionId: start.sessionId,
    correlationId: start.correlationId,
    errorCode: error?.code,
    toolCode: typeof toolCode === 'string' ? toolCode : undefined,
    errorMessage: error && redactor.text(error.message),
    input: redactor.json(call.input),
    output: redactor.jsonText(text, envelope),
    steps: steps.length === 0 ? NO_STEPS : redactor.value(steps),
    marks: redactor.value(marksOf(call)),
  };
}

const NO_STEPS: CallRecord['steps'] = [];

function marksOf({ facts }: ToolCall): TraceMarks {
  const { steps, warnings, ...marks } = facts;
  return warnings.length > 0 ? { ...marks, warnings } : marks;
}
