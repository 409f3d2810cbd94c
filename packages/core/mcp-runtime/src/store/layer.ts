import { ToolError } from '@automatosx/contracts';
import type { Handler, Middleware, ToolCall } from '../types.js';

/**
 * Opens the store's transaction before a tool runs that stores. While another process holds the lock the call can still
 * be cancelled or run out of time, and then nothing of it is stored.
 */
export const store =
  (ready: () => Promise<void>): Middleware =>
  (call, next) =>
    call.tool.contract.effect === 'store' ? ready().then(() => unlessStopped(call, next)) : next(call);

function unlessStopped(call: ToolCall, next: Handler): Promise<unknown> {
  if (!call.context.cancellation.isCancelled()) return next(call);
  throw new ToolError('CANCELLED', `${call.tool.contract.name} was stopped before it began`);
}
