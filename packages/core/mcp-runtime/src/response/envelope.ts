import type { ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { ArtifactStore } from '../ports.js';
import type { Middleware, ToolAnswer, ToolCall } from '../types.js';
import { type Log, toToolError } from './errors.js';
import { brief, failure, success, toAnswer } from './helpers.js';
import { truncate } from './truncation.js';

interface Options {
  readonly config: () => Config;
  readonly artifacts: ArtifactStore;
  readonly redact: <T>(value: T) => T;
  readonly log: Log;
}

/** Turns data and errors into the one shape that every answer has (INV-MCP-RESP-001). */
export const envelope =
  (options: Options): Middleware =>
  async (call, next): Promise<ToolAnswer> => {
    try {
      return await succeeded(call, await next(call), options);
    } catch (error) {
      return failed(call, toToolError(error, call, options.log), options);
    }
  };

async function succeeded(call: ToolCall, data: unknown, options: Options): Promise<ToolAnswer> {
  const answer = toAnswer(success(call, data));
  return fits(answer, options) ? answer : shorten(call, data, options);
}

function failed(call: ToolCall, error: ToolError, options: Options): ToolAnswer {
  const whole = failure(call, error, options.redact);
  const answer = toAnswer(whole);
  return fits(answer, options) ? answer : toAnswer(brief(whole));
}

const fits = ({ text }: ToolAnswer, { config }: Options): boolean =>
  Buffer.byteLength(text) <= config().limits.response.maxResponseBytes;

/** Cuts what is too large and keeps the whole where the client can read it (INV-MCP-RESP-003, -004). */
async function shorten(call: ToolCall, data: unknown, options: Options): Promise<ToolAnswer> {
  const limits = options.config().limits.response;
  const id = await keep(call, data, options);
  call.facts.truncated = true;
  const whole = success(call, null);
  const metadata = { ...whole.metadata, truncated: true, ...(id !== undefined && { artifact: `artifact://${id}` }) };
  const room = limits.maxResponseBytes - Buffer.byteLength(JSON.stringify({ ...whole, metadata }));
  return toAnswer({ success: true, data: truncate(data, limits, room), metadata: { cached: false, ...metadata } });
}

/** The call has acted by now, so an artifact that cannot be kept costs the link and not the answer. */
async function keep(call: ToolCall, data: unknown, { artifacts, log }: Options): Promise<string | undefined> {
  try {
    return await artifacts.add(call.context.principal, JSON.stringify(data));
  } catch (error) {
    log('A truncated answer could not be kept as an artifact', { tool: call.tool.contract.name, error });
    return undefined;
  }
}
