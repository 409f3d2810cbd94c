import { ToolError } from '@automatosx/contracts';
import { InputRequired } from '../client.js';
import type { Middleware, ToolCall } from '../types.js';

export type Log = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Where anything that a tool or a layer threw becomes a ToolError. */
export const errors =
  (log: Log): Middleware =>
  async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      // Not a failure: the call is made again when the client has answered.
      if (error instanceof InputRequired) throw error;
      throw toToolError(error, call, log);
    }
  };

/** What was not foreseen is a bug, so it is logged. */
export function toToolError(error: unknown, { tool }: ToolCall, log: Log): ToolError {
  if (!(error instanceof ToolError)) {
    log('A tool failed in a way it does not declare', { tool: tool.contract.name, error });
  }
  return ToolError.from(error);
}
