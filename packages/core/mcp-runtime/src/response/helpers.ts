import { isRetryable, type MCPResponseEnvelope, type MCPStructuredError, type ToolError } from '@automatosx/contracts';
import { beginningOf } from '../text.js';
import type { ToolAnswer, ToolCall } from '../types.js';

const MAX_MESSAGE_LENGTH = 1000;
const MAX_CONTEXT_LENGTH = 16_384;

type Failure = Extract<MCPResponseEnvelope, { success: false }>;
type Redact = <T>(value: T) => T;

export const durationOf = (call: ToolCall): number => Math.round(performance.now() - call.startedAt);

/** The text is made once: for the client's text content, its structured content and the trace. */
export const toAnswer = (envelope: MCPResponseEnvelope): ToolAnswer => ({ envelope, text: JSON.stringify(envelope) });

export const success = (call: ToolCall, data: unknown): MCPResponseEnvelope => ({
  success: true,
  data,
  metadata: { durationMs: durationOf(call), cached: call.facts.cached === true, truncated: false },
});

/** Secrets go before the message is cut: half of one would not be known as one. */
export function failure(call: ToolCall, error: ToolError, redact: Redact = (value) => value): Failure {
  const { code, retryAfterMs } = error;
  const isSafeToRepeat = call.tool.contract.idempotent || call.context.idempotencyKey !== undefined;
  const retryable = isRetryable(code, isSafeToRepeat);
  const { message, context } = redact({ message: error.message, context: contextOf(error) });
  const structured: MCPStructuredError = {
    code,
    message: beginningOf(message, MAX_MESSAGE_LENGTH) || code,
    retryable,
    ...(context && { context }),
    ...(retryable && retryAfterMs !== undefined && { retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) }),
  };
  return { success: false, error: structured, metadata: { durationMs: durationOf(call) } };
}

/** What is left of a failure that is too large itself: the codes, and how its message begins. */
export function brief({ error: { context, ...error }, ...rest }: Failure): Failure {
  const toolCode = context?.toolCode;
  const message = beginningOf(error.message, 100);
  return { ...rest, error: { ...error, message, ...(typeof toolCode === 'string' && { context: { toolCode } }) } };
}

function contextOf({ toolCode, context }: ToolError): Record<string, unknown> | undefined {
  const named = toolCode === undefined ? undefined : { toolCode };
  if (context === undefined) return named;
  const whole = { ...context, ...named };
  return isShort(whole) ? whole : named;
}

/** False also for what has no JSON, such as a structure without end. */
function isShort(context: object): boolean {
  try {
    return JSON.stringify(context).length <= MAX_CONTEXT_LENGTH;
  } catch {
    return false;
  }
}
