import * as z from 'zod';

export const ToolCategorySchema = z.enum(['query', 'mutation', 'scan', 'execution']);

/** Picks a tool's timeout and rate limit. */
export type ToolCategory = z.infer<typeof ToolCategorySchema>;

const milliseconds = z.number().int().positive().max(86_400_000);

export const MCPTimeoutConfigSchema = z.strictObject({
  defaultTimeoutMs: milliseconds.default(30_000),
  toolTimeouts: z
    .strictObject({
      query: milliseconds.default(10_000),
      mutation: milliseconds.default(30_000),
      scan: milliseconds.default(120_000),
      execution: milliseconds.default(1_200_000),
    })
    .prefault({}),
  toolOverrides: z.record(z.string(), milliseconds).default({}),
});

export type MCPTimeoutConfig = z.infer<typeof MCPTimeoutConfigSchema>;

export const TimeoutResultSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('completed'),
    result: z.unknown(),
    durationMs: z.number().int().nonnegative(),
  }),
  z.object({
    status: z.literal('timeout'),
    timeoutMs: z.number().int().positive(),
    partialResult: z.unknown().optional(),
  }),
  z.object({
    status: z.literal('error'),
    error: z.object({ code: z.string(), message: z.string() }),
    durationMs: z.number().int().nonnegative(),
  }),
]);

export type TimeoutResult = z.infer<typeof TimeoutResultSchema>;
