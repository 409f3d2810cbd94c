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
      const deadline = new AbortController();
      const { name } = call.tool.contract;
      const ms = timeoutFor(call.tool.contract, config());
      const stop = (reason: unknown) => {
        deadline.abort(reason);
        reject(reason);
      };
      const cancel = () => stop(cancelled(call.signal.reason, name));
      const timer = setTimeout(
        () => stop(new ToolError('TOOL_TIMEOUT', `${name} took longer than ${ms} ms`, { context: { timeoutMs: ms } })),
        ms,
      );
      if (call.signal.aborted) cancel();
      call.signal.addEventListener('abort', cancel, { once: true });
      next({ ...call, signal: deadline.signal })
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          call.signal.removeEventListener('abort', cancel);
        });
    });

/** Who cancels may say why with an error of ours; anything else is the client's wish. */
const cancelled = (reason: unknown, name: string): ToolError =>
  reason instanceof ToolError ? reason : new ToolError('CANCELLED', `${name} was cancelled`);
