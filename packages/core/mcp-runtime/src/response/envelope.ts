import type { MCPResponseLimits, ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { ArtifactStore } from '../ports.js';
import type { Middleware, ToolAnswer, ToolCall } from '../types.js';
import { failure, success, toAnswer } from './helpers.js';
import { truncate } from './truncation.js';

interface Options {
  readonly config: () => Config;
  readonly artifacts: ArtifactStore;
  readonly redact: <T>(value: T) => T;
}

/** Turns data and errors into the one shape that every answer has (INV-MCP-RESP-001). */
export const envelope =
  ({ config, artifacts, redact }: Options): Middleware =>
  async (call, next): Promise<ToolAnswer> => {
    try {
      const data = await next(call);
      const answer = toAnswer(success(call, data));
      const limits = config().limits.response;
      return Buffer.byteLength(answer.text) > limits.maxResponseBytes
        ? await shorten(call, data, { limits, artifacts })
        : answer;
    } catch (error) {
      return toAnswer(redact(failure(call, error as ToolError)));
    }
  };

/** Cuts what is too large and keeps the whole where the client can read it (INV-MCP-RESP-003, -004). */
async function shorten(
  call: ToolCall,
  data: unknown,
  { limits, artifacts }: { limits: MCPResponseLimits; artifacts: ArtifactStore },
): Promise<ToolAnswer> {
  const id = await artifacts.add(call.context.principal, JSON.stringify(data));
  call.facts.truncated = true;
  const whole = success(call, null);
  const metadata = { ...whole.metadata, truncated: true, ...(id !== undefined && { artifact: `artifact://${id}` }) };
  const room = limits.maxResponseBytes - Buffer.byteLength(JSON.stringify({ ...whole, metadata }));
  return toAnswer({ success: true, data: truncate(data, limits, room), metadata: { cached: false, ...metadata } });
}
