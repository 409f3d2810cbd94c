import { ToolError } from '@automatosx/contracts';
import type { Middleware } from '../types.js';

/**
 * Opens the store's transaction before a tool runs that stores. While another process holds the lock the call can still
 * be cancelled or run out of time, and then nothing of it is stored.
 */
export const store =
  (ready: () => Promise<void>): Middleware =>
  async (call, next) => {
    if (call.tool.contract.effect !== 'store') return next(call);
    await ready();
    if (call.context.cancellation.isCancelled()) {
      throw new ToolError('CANCELLED', `${call.tool.contract.name} was stopped before it began`);
    }
    return next(call);
  };
