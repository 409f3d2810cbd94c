import * as z from 'zod';
import { MCPCacheConfigSchema } from '../../mcp/v1/cache/schema.js';
import { MCPRequestLimitsSchema } from '../../mcp/v1/limits/schema.js';
import { MCPResponseLimitsSchema } from '../../mcp/v1/response/schema.js';
import { MCPServerConfigSchema } from '../../mcp/v1/schema.js';
import { MCPTimeoutConfigSchema } from '../../mcp/v1/timeout/schema.js';

const rate = z.strictObject({
  perSecond: z.number().positive().max(1_000_000),
  burst: z.int().positive().max(1_000_000),
});

/** `config.json`. Everything has a default, so `{}` is a whole configuration. */
export const ConfigSchema = z.strictObject({
  /** Lets an editor find the schema; means nothing to the server. */
  $schema: z.string().optional(),
  server: MCPServerConfigSchema.prefault({}),
  limits: z
    .strictObject({
      request: MCPRequestLimitsSchema.prefault({}),
      response: MCPResponseLimitsSchema.prefault({}),
      /** Items on a page of `tools/list` and the other lists of the protocol. */
      pageSize: z.int().min(1).max(1000).default(100),
    })
    .prefault({}),
  timeouts: MCPTimeoutConfigSchema.prefault({}),
  cache: MCPCacheConfigSchema.prefault({}),
  /** A category that is not named is unlimited for a local user. */
  rateLimits: z
    .strictObject({
      query: rate.optional(),
      mutation: rate.optional(),
      scan: rate.optional(),
      execution: rate.optional(),
    })
    .prefault({}),
  trace: z
    .strictObject({
      retentionDays: z.number().positive().max(36_500).default(30),
      maxBytes: z.int().min(1_000_000).default(1_000_000_000),
      /** Names of further fields whose text is a secret. */
      redact: z.array(z.string().min(1).max(100)).max(100).default([]),
    })
    .prefault({}),
  storage: z
    .strictObject({
      /** `full` survives a power cut, `normal` the end of the process. */
      synchronous: z.enum(['normal', 'full']).default('normal'),
    })
    .prefault({}),
});

/** The configuration with every default filled in. */
export type Config = z.output<typeof ConfigSchema>;

/** What a file says: any part of it. */
export type ConfigFile = z.input<typeof ConfigSchema>;

/** What starts programs, names the server or bounds what it may do. */
const DANGEROUS = ['server', 'guard', 'mcpServers', 'code', 'models.providers'];

/** What a tool call cannot change. */
export const PROTECTED_PATHS: readonly string[] = [...DANGEROUS, 'trace.redact'];

/** What a project's own file cannot decide by itself; that leaves it the size of pages, and the timeouts. */
export const TRUSTED_KEYS: readonly string[] = [
  ...DANGEROUS,
  'trace',
  'storage',
  'rateLimits',
  'cache',
  'limits.request',
  'limits.response',
];
