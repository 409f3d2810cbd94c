import { describe, expect, test } from 'vitest';
import { CacheGetResultSchema, CacheSetOptionsSchema, MCPCacheConfigSchema, MCPCacheEntrySchema } from './schema.js';

describe('the cache', () => {
  test('is configured as in the founding document', () => {
    expect(MCPCacheConfigSchema.parse({})).toEqual({
      maxSizeBytes: 104_857_600,
      maxEntries: 10_000,
      defaultTtlMs: 3_600_000,
      evictionPolicy: 'lru',
      highWaterMark: 0.9,
      lowWaterMark: 0.7,
      cleanupIntervalMs: 60_000,
    });
  });

  test.each([
    { maxSizeBytes: 0 },
    { maxEntries: 0 },
    { defaultTtlMs: -1 },
    { evictionPolicy: 'random' },
    { highWaterMark: 0.4 },
    { highWaterMark: 1.1 },
    { lowWaterMark: 0 },
    { lowWaterMark: 0.95 },
    { cleanupIntervalMs: 0 },
    { maxSize: 5 },
  ])('cannot be configured as %j', (part) => {
    expect(MCPCacheConfigSchema.safeParse(part).success).toBe(false);
  });
});

test('an entry has a short key, a size and times', () => {
  const entry = { key: 'k', value: 1, sizeBytes: 1, createdAt: 1, lastAccessedAt: 1 };
  expect(MCPCacheEntrySchema.parse(entry)).toEqual({ ...entry, accessCount: 0, ttlMs: 0 });
  for (const part of [{ key: '' }, { key: 'k'.repeat(257) }, { sizeBytes: -1 }, { createdAt: 0 }]) {
    expect(MCPCacheEntrySchema.safeParse({ ...entry, ...part }).success).toBe(false);
  }
});

test('what is kept has normal priority unless told otherwise', () => {
  expect(CacheSetOptionsSchema.parse({})).toEqual({ priority: 'normal' });
});

test('a miss is a result', () => {
  expect(CacheGetResultSchema.parse({ hit: false })).toEqual({ hit: false });
});
