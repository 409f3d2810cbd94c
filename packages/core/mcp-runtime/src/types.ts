import type { MCPResponseEnvelope, ToolContract } from '@automatosx/contracts';
import type * as z from 'zod';
import type { Cancellation } from './cancellation.js';

/** Something worth keeping in the trace that happened inside a call. */
export interface CallStep {
  readonly type: 'step.execute' | 'tool.invoke' | 'tool.result' | 'decision.routing' | 'error';
  readonly at: number;
  readonly status?: 'success' | 'failure' | 'running' | 'skipped';
  readonly durationMs?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Who calls, from where, and how to reach them: what a transport knows of a call. */
export interface CallContext {
  /** Whose call it is: traces, idempotency keys and rate limits belong to them. */
  readonly principal: string;
  /** True for a user of this machine: rate limits are off unless configured. */
  readonly isLocal: boolean;
  readonly workspace: string;
  readonly sessionId?: string | undefined;
  readonly correlationId: string;
  readonly idempotencyKey?: string | undefined;
  /** Size of the request on the wire, where there was one. */
  readonly requestBytes?: number | undefined;
  /** Stops the call, for whatever reason. A nested call has one of its own. */
  readonly cancellation: Cancellation;
  readonly progress: (update: Progress) => void;
}

/** What the layers learn about a call on its way; the trace keeps it. */
export interface CallFacts {
  readonly steps: CallStep[];
  readonly warnings: string[];
  replayed?: true;
  cached?: true;
  truncated?: true;
  invalidOutput?: readonly string[];
  nearTimeoutMs?: number;
}

/** One call on its way through the layers. */
export interface ToolCall {
  readonly tool: Tool;
  /** As it arrived; after the validate layer, as the schema made it. Nobody changes it (INV-MCP-005). */
  readonly input: unknown;
  readonly context: CallContext;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  readonly facts: CallFacts;
}

/** A finished call, ready for any transport. `text` is the envelope's JSON. */
export interface ToolAnswer {
  readonly envelope: MCPResponseEnvelope;
  readonly text: string;
}

export type Handler<Result = unknown> = (call: ToolCall) => Promise<Result>;
export type Middleware = (call: ToolCall, next: Handler) => Promise<unknown>;

/** What a tool's function may use of the call. */
export interface ToolContext {
  readonly principal: string;
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly progress: (update: Progress) => void;
  /** Keeps a step in the call's trace. */
  readonly note: (step: CallStep) => void;
}

/** A contract and the function that keeps it. */
export interface Tool {
  readonly contract: ToolContract;
  readonly run: (input: never, context: ToolContext) => Promise<unknown>;
}

export const implement = <Input, Output>(
  contract: ToolContract<z.ZodType<Input>, z.ZodType<unknown, Output>>,
  run: (input: Input, context: ToolContext) => Promise<NoInfer<Output>>,
): Tool => ({ contract, run });
