import type { MCPResponseEnvelope, ToolContract } from '@automatosx/contracts';
import type * as z from 'zod';
import type { Cancellation } from './cancellation.js';
import type { ClientPort, ClientRequest } from './client.js';

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
  readonly client: ClientPort;
  /** Tells the client, if it wants to hear of what is as important as this. */
  readonly log: ClientLog;
}

/** The levels of `notifications/message`, from the least important on. */
export const CLIENT_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type ClientLogLevel = (typeof CLIENT_LOG_LEVELS)[number];

export type ClientLog = (level: ClientLogLevel, data: unknown) => void;

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

/** A finished call, ready for any transport. `text` is the JSON of what it came to: the envelope, or a relayed result. */
export interface ToolAnswer {
  readonly envelope: MCPResponseEnvelope;
  readonly text: string;
  /** What a relayed tool answered, to be passed on as it is. */
  readonly relayed?: RelayedResult;
  /** What the client has to answer before the call can be made again. */
  readonly inputRequired?: Readonly<Record<string, ClientRequest>>;
}

/** A result in the protocol's own shape. */
export interface RelayedResult extends Readonly<Record<string, unknown>> {
  readonly isError?: boolean;
}

export type Handler<Result = unknown> = (call: ToolCall) => Promise<Result>;
export type Middleware = (call: ToolCall, next: Handler) => Promise<unknown>;

/** What a tool's function may use of the call. */
export interface ToolContext {
  readonly principal: string;
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly progress: (update: Progress) => void;
  readonly client: ClientPort;
  readonly log: ClientLog;
  /** Keeps a step in the call's trace. */
  readonly note: (step: CallStep) => void;
}

/** A contract and the function that keeps it. */
export interface Tool {
  readonly contract: ToolContract;
  readonly run: (input: never, context: ToolContext) => Promise<unknown>;
  /** Makes it a relayed tool: it is listed with this, and what it answers is passed on as it is, without our envelope. */
  readonly relayed?: RelayedDefinition;
}

/** A tool as its own server lists it. */
export interface RelayedDefinition extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export const implement = <Input, Output>(
  contract: ToolContract<z.ZodType<Input>, z.ZodType<unknown, Output>>,
  run: (input: Input, context: ToolContext) => Promise<NoInfer<Output>>,
): Tool => ({ contract, run });
