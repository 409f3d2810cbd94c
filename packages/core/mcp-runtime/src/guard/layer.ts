import { type MCPCacheStats, ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { GuardContext, GuardPolicy } from '@automatosx/contracts/guard';
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
    const context = { toolName, category, timeoutMs, limits: limits.request, requestSizeBytes };
    hold(policy, call, { ...context, cacheStats: cacheStats() });
    const startedAt = performance.now();
    try {
      return await next(call);
    } finally {
      hold(policy, call, { ...context, durationMs: performance.now() - startedAt });
    }
  };

function hold(policy: GuardPolicy, call: ToolCall, context: GuardContext): void {
  for (const { id, check } of policy.gates) {
    const { passed, code = 'PERMISSION_DENIED', reason, recommendation, warning, audit } = check(context);
    if (!passed) {
      const details = { policy: policy.id, gate: id, recommendation };
      throw new ToolError(code, `${reason}. ${recommendation}`, { context: details, retryAfterMs: RETRY_MS });
    }
    if (warning !== undefined) call.facts.warnings.push(warning);
    if (audit !== undefined) call.facts.nearTimeoutMs = context.timeoutMs as number;
  }
}
