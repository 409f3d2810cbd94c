import { ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import { InputRequired } from '../client.js';
import type { ArtifactStore } from '../ports.js';
import type { Middleware, RelayedResult, ToolAnswer, ToolCall } from '../types.js';
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
      const data = await next(call);
      return call.tool.relayed ? relayed(call, data as RelayedResult) : await succeeded(call, data, options);
    } catch (error) {
      if (error instanceof InputRequired) return waiting(call, error);
      return failed(call, toToolError(error, call, options.log), options);
    }
  };

/** Passed on as it is; the envelope is for our own records of it. */
function relayed(call: ToolCall, result: RelayedResult): ToolAnswer {
  const text = JSON.stringify(result);
  const envelope = result.isError
    ? failure(call, new ToolError('OPERATION_FAILED', `${call.tool.contract.name} answered with an error`))
    : success(call, result);
  return { envelope, text, relayed: result };
}

function waiting(call: ToolCall, { requests }: InputRequired): ToolAnswer {
  return { ...toAnswer(success(call, { waitsFor: Object.keys(requests) })), inputRequired: requests };
}

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
