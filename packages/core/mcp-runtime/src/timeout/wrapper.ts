import { type MCPTimeoutConfig, ToolError } from '@automatosx/contracts';
import type { Middleware } from '../types.js';
import { timeoutFor } from './categories.js';

/**
 * Answers in time even when a handler ignores its signal (INV-MCP-TIMEOUT-001).
 * One promise and no AbortController: AbortSignal.any and Promise.race cost ~48 µs a call here.
 */
export const timeout =
  (config: () => MCPTimeoutConfig): Middleware =>
  (call, next) =>
    new Promise((resolve, reject) => {
      const { name } = call.tool.contract;
      const { cancellation } = call.context;
      const ms = timeoutFor(call.tool.contract, config());
      const timer = setTimeout(() => cancellation.cancel(timedOut(name, ms)), ms);
      const forget = cancellation.onCancel((reason) => {
        clearTimeout(timer);
        reject(cancelled(reason, name));
      });
      if (cancellation.isCancelled()) return;
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          forget();
          settle(value);
        };
      // Async, because a handler that throws at once must not leave the timer behind either.
      const run = async () => next(call);
      run().then(settled(resolve), settled(reject));
    });

const timedOut = (name: string, ms: number): ToolError =>
  new ToolError('TOOL_TIMEOUT', `${name} took longer than ${ms} ms`, { context: { timeoutMs: ms } });

/** Who cancels may say why with an error of ours; anything else is the client's wish. */
const cancelled = (reason: unknown, name: string): ToolError =>
  reason instanceof ToolError ? reason : new ToolError('CANCELLED', `${name} was cancelled`);
