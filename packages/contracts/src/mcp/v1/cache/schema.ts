import * as z from 'zod';

export const MCPCacheEntrySchema = z.object({
  key: z.string().min(1).max(256),
  value: z.unknown(),
  sizeBytes: z.number().int().nonnegative(),
  createdAt: z.number().int().positive(),
  lastAccessedAt: z.number().int().positive(),
  accessCount: z.number().int().nonnegative().default(0),
  /** 0 = no expiry. */
  ttlMs: z.number().int().nonnegative().default(0),
});

export type MCPCacheEntry = z.infer<typeof MCPCacheEntrySchema>;

export const MCPCacheConfigSchema = z.strictObject({
  maxSizeBytes: z.number().int().positive().default(104_857_600),
  maxEntries: z.number().int().positive().default(10_000),
  /** 0 = no expiry. */
  defaultTtlMs: z.number().int().nonnegative().default(3_600_000),
  evictionPolicy: z.enum(['lru', 'lfu', 'fifo']).default('lru'),
  /** Share of the maximum at which eviction begins. */
  highWaterMark: z.number().min(0.5).max(1).default(0.9),
  /** Share of the maximum at which eviction stops. */
  lowWaterMark: z.number().min(0.1).max(0.9).default(0.7),
  cleanupIntervalMs: z.number().int().positive().default(60_000),
});

export type MCPCacheConfig = z.infer<typeof MCPCacheConfigSchema>;

export const MCPCacheStatsSchema = z.object({
  entryCount: z.number().int().nonnegative(),
  currentSizeBytes: z.number().int().nonnegative(),
  maxSizeBytes: z.number().int().positive(),
  hitCount: z.number().int().nonnegative(),
  missCount: z.number().int().nonnegative(),
  hitRate: z.number().min(0).max(1),
  evictionCount: z.number().int().nonnegative(),
  lastCleanupAt: z.number().int().nonnegative().optional(),
  pressureLevel: z.enum(['low', 'medium', 'high', 'critical']),
});

export type MCPCacheStats = z.infer<typeof MCPCacheStatsSchema>;

export const CacheGetResultSchema = z.object({
  hit: z.boolean(),
  value: z.unknown().optional(),
  entry: MCPCacheEntrySchema.optional(),
});

export type CacheGetResult = z.infer<typeof CacheGetResultSchema>;

export const CacheSetOptionsSchema = z.object({
  ttlMs: z.number().int().nonnegative().optional(),
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
});

export type CacheSetOptions = z.input<typeof CacheSetOptionsSchema>;
