import { isRetryable, type MCPResponseEnvelope, type MCPStructuredError, type ToolError } from '@automatosx/contracts';
import type { ToolAnswer, ToolCall } from '../types.js';

const MAX_MESSAGE_LENGTH = 1000;
const MAX_CONTEXT_LENGTH = 16_384;

export const durationOf = (call: ToolCall): number => Math.round(performance.now() - call.startedAt);

/** The text is made once: for the client's text content, its structured content and the trace. */
export const toAnswer = (envelope: MCPResponseEnvelope): ToolAnswer => ({ envelope, text: JSON.stringify(envelope) });

export const success = (call: ToolCall, data: unknown): MCPResponseEnvelope => ({
  success: true,
  data,
  metadata: { durationMs: durationOf(call), cached: call.facts.cached === true, truncated: false },
});

export function failure(call: ToolCall, error: ToolError): MCPResponseEnvelope {
  const { code, retryAfterMs } = error;
  const isSafeToRepeat = call.tool.contract.idempotent || call.context.idempotencyKey !== undefined;
  const retryable = isRetryable(code, isSafeToRepeat);
  const context = contextOf(error);
  const structured: MCPStructuredError = {
    code,
    message: error.message.slice(0, MAX_MESSAGE_LENGTH) || code,
    retryable,
    ...(context && { context }),
    ...(retryable && retryAfterMs !== undefined && { retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) }),
  };
  return { success: false, error: structured, metadata: { durationMs: durationOf(call) } };
}

function contextOf({ toolCode, context }: ToolError): Record<string, unknown> | undefined {
  if (toolCode === undefined && context === undefined) return undefined;
  const named = toolCode === undefined ? {} : { toolCode };
  const whole = { ...named, ...context };
  return JSON.stringify(whole).length > MAX_CONTEXT_LENGTH ? named : whole;
}
