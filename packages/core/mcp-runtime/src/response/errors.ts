import { ToolError } from '@automatosx/contracts';
import type { Middleware } from '../types.js';

type Log = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** The one place where anything that was thrown becomes a ToolError. What was not foreseen is a bug, so it is logged. */
export const errors =
  (log: Log): Middleware =>
  async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      if (!(error instanceof ToolError)) {
        log('A tool failed in a way it does not declare', { tool: call.tool.contract.name, error });
      }
      throw ToolError.from(error);
    }
  };
