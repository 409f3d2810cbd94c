import type { MCPCacheStats } from '../../mcp/v1/cache/schema.js';
import type { MCPRequestLimits, ValidationError } from '../../mcp/v1/limits/schema.js';
import type { ErrorCode } from '../../mcp/v1/response/errors.js';
import type { ToolCategory } from '../../mcp/v1/timeout/schema.js';

/** What a gate may know of a call. What is not known yet is absent. */
export interface GuardContext {
  readonly toolName: string;
  readonly category: ToolCategory;
  readonly cacheStats?: MCPCacheStats;
  readonly requestSizeBytes?: number | undefined;
  readonly limits?: MCPRequestLimits;
  readonly arraySizeViolations?: readonly ValidationError[];
  readonly durationMs?: number;
  readonly timeoutMs?: number;
}

export interface GateResult {
  readonly passed: boolean;
  /** The code of the refusal, where the gate did not pass. */
  readonly code?: ErrorCode;
  readonly reason?: string;
  readonly recommendation?: string;
  readonly warning?: string;
  readonly audit?: Readonly<Record<string, unknown>>;
}

export interface GuardGate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly check: (context: GuardContext) => GateResult;
}

export interface GuardPolicy {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly gates: readonly GuardGate[];
}
