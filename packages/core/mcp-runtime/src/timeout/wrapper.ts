import { type MCPTimeoutConfig, ToolError } from '@automatosx/contracts';
import type { Middleware } from '../types.js';
import { timeoutFor } from './categories.js';

/**
 * Answers in time even when a handler ignores its signal (INV-MCP-TIMEOUT-001).
 * One controller and one promise: AbortSignal.any and Promise.race cost ~48 µs a call here.
 */
export const timeout =
  (config: () => MCPTimeoutConfig): Middleware =>
  (call, next) =>
    new Promise((resolve, reject) => {
      const { contract } = call.tool;
      const cancellation = () => cancelled(call.signal.reason, contract.name);
      if (call.signal.aborted) throw cancellation();

      const deadline = new AbortController();
      const ms = timeoutFor(contract, config());
      const timer = setTimeout(() => stop(timedOut(contract.name, ms)), ms);
      const cancel = () => stop(cancellation());
      const settle = () => {
        clearTimeout(timer);
        call.signal.removeEventListener('abort', cancel);
      };
      const stop = (reason: ToolError) => {
        settle();
        deadline.abort(reason);
        reject(reason);
      };
      call.signal.addEventListener('abort', cancel, { once: true });
      // Async, because a handler that throws at once must not leave the timer behind either.
      const run = async () => next({ ...call, signal: deadline.signal });
      run().finally(settle).then(resolve, reject);
    });

const timedOut = (name: string, ms: number): ToolError =>
  new ToolError('TOOL_TIMEOUT', `${name} took longer than ${ms} ms`, { context: { timeoutMs: ms } });

/** Who cancels may say why with an error of ours; anything else is the client's wish. */
const cancelled = (reason: unknown, name: string): ToolError =>
  reason instanceof ToolError ? reason : new ToolError('CANCELLED', `${name} was cancelled`);
