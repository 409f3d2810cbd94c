import { type MCPCacheStats, ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { GateResult, GuardContext, GuardGate, GuardPolicy } from '@automatosx/contracts/guard';
import { timeoutFor } from '../timeout/categories.js';
import type { Middleware, ToolCall } from '../types.js';

interface Options {
  readonly policy: GuardPolicy;
  readonly config: () => Config;
  readonly cacheStats: () => MCPCacheStats;
}

/** How long to wait before a refused call is worth another try. */
const RETRY_MS = 1000;

/** Holds every call against the policy: before it runs, and once more when its duration is known. */
export const guard =
  ({ policy, config, cacheStats }: Options): Middleware =>
  async (call, next) => {
    const { name: toolName, category } = call.tool.contract;
    const { limits, timeouts } = config();
    const timeoutMs = timeoutFor(call.tool.contract, timeouts);
    const requestSizeBytes = call.context.requestBytes;
    const startedAt = performance.now();
    const contextOf = (stats: MCPCacheStats | undefined, durationMs: number | undefined): GuardContext => ({
      toolName,
      category,
      timeoutMs,
      limits: limits.request,
      requestSizeBytes,
      cacheStats: stats,
      durationMs,
    });
    hold(policy, call, contextOf(cacheStats(), undefined));
    try {
      return await next(call);
    } finally {
      audit(policy, call, contextOf(undefined, performance.now() - startedAt));
    }
  };

function hold(policy: GuardPolicy, call: ToolCall, context: GuardContext): void {
  for (const gate of policy.gates) {
    const result = gate.check(context);
    if (!result.passed) throw refusal(policy, gate, result);
    if (result.warning !== undefined) call.facts.warnings.push(result.warning);
  }
}

/** The call is over: what a gate says now is noted, and changes neither its answer nor its error. */
function audit(policy: GuardPolicy, { facts }: ToolCall, context: GuardContext): void {
  for (const { id, check } of policy.gates) {
    try {
      const { passed, reason, audit } = check(context);
      if (!passed) facts.warnings.push(`${id}: ${reason}`);
      if (audit !== undefined) facts.nearTimeoutMs = context.timeoutMs as number;
    } catch (error) {
      facts.warnings.push(`${id} could not be checked: ${error}`);
    }
  }
}

function refusal(policy: GuardPolicy, { id, name }: GuardGate, result: GateResult): ToolError {
  const { code = 'PERMISSION_DENIED', reason = `${name} does not allow it`, recommendation } = result;
  const message = recommendation === undefined ? reason : `${reason}. ${recommendation}`;
  const context = { policy: policy.id, gate: id, recommendation };
  return new ToolError(code, message, { context, retryAfterMs: RETRY_MS });
}
