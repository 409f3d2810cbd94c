import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from './errors.js';

export const MCPErrorCodeSchema = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

export type MCPErrorCode = z.infer<typeof MCPErrorCodeSchema>;

export const MCPStructuredErrorSchema = z.object({
  code: MCPErrorCodeSchema,
  message: z.string().min(1).max(1000),
  context: z.record(z.string(), z.unknown()).optional(),
  retryable: z.boolean().default(false),
  retryAfterMs: z.number().int().positive().optional(),
});

export type MCPStructuredError = z.infer<typeof MCPStructuredErrorSchema>;

export const MCPResponseMetadataSchema = z.object({
  durationMs: z.number().int().nonnegative(),
  cached: z.boolean().default(false),
  truncated: z.boolean().default(false),
  /** Where the whole of a truncated answer can be read: `artifact://…`. */
  artifact: z.string().optional(),
});

export type MCPResponseMetadata = z.infer<typeof MCPResponseMetadataSchema>;

export const MCPResponseEnvelopeSchema = <T extends z.ZodType>(dataSchema: T) =>
  z.discriminatedUnion('success', [
    z.object({
      success: z.literal(true),
      data: dataSchema,
      metadata: MCPResponseMetadataSchema.optional(),
    }),
    z.object({
      success: z.literal(false),
      error: MCPStructuredErrorSchema,
      metadata: z.object({ durationMs: z.number().int().nonnegative() }).optional(),
    }),
  ]);

/** What every tool answers with. */
export type MCPResponseEnvelope =
  | { success: true; data: unknown; metadata: MCPResponseMetadata }
  | { success: false; error: MCPStructuredError; metadata: { durationMs: number } };

export const MCPListResponseSchema = <T extends z.ZodType>(itemSchema: T) =>
  z.object({
    items: z.array(itemSchema),
    total: z.number().int().nonnegative(),
    limit: z.number().int().positive(),
    offset: z.number().int().nonnegative(),
    hasMore: z.boolean(),
  });

export const MCPResponseLimitsSchema = z.strictObject({
  maxResponseBytes: z.number().int().min(1024).default(1_048_576),
  maxListItems: z.number().int().positive().default(100),
  maxStringLength: z.number().int().positive().default(10_000),
  truncationSuffix: z.string().max(100).default('... [truncated]'),
});

export type MCPResponseLimits = z.infer<typeof MCPResponseLimitsSchema>;
