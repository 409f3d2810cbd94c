import * as z from 'zod';

const count = z.number().int().positive();

/** Arrays a tool may be given, where that differs from `maxArraySize`. */
const TOOL_ARRAY_LIMITS = {
  bugfix_scan: 100,
  refactor_scan: 100,
  memory_bulk_delete: 1000,
  ability_inject: 20,
  guard_check: 10_000,
  memory_store: 10_000,
  config_set: 10_000,
  workflow_run: 10_000,
  agent_run: 10_000,
};

export const MCPRequestLimitsSchema = z.strictObject({
  // The least leaves room for the calls that put it right again.
  maxArraySize: count.min(10).default(100),
  maxStringLength: count.min(1000).default(100_000),
  /** Whoever walks an object needs stack for its depth. */
  maxObjectDepth: count.min(5).max(1000).default(10),
  maxRequestBytes: count.min(1024).default(10_485_760),
  toolArrayLimits: z
    .record(z.string(), count)
    .default({})
    .transform((configured): Record<string, number> => ({ ...TOOL_ARRAY_LIMITS, ...configured })),
});

export type MCPRequestLimits = z.infer<typeof MCPRequestLimitsSchema>;

export const ValidationErrorSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  limit: z.number().optional(),
  actual: z.number().optional(),
});

export type ValidationError = z.infer<typeof ValidationErrorSchema>;

export const ValidationResultSchema = z.discriminatedUnion('valid', [
  z.object({ valid: z.literal(true) }),
  z.object({ valid: z.literal(false), errors: z.array(ValidationErrorSchema) }),
]);

export type ValidationResult = z.infer<typeof ValidationResultSchema>;
