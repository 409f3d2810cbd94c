import {
  CacheGetResultSchema,
  type MCPCacheConfig,
  MCPCacheConfigSchema,
  MCPCacheStatsSchema,
} from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import { createCache } from './index.js';

const POLICIES = ['lru', 'lfu', 'fifo'] as const;

/** A value of exactly that many bytes of JSON. */
const ofBytes = (bytes: number): string => 'x'.repeat(bytes - 2);

function setup(overrides: Partial<MCPCacheConfig> = {}) {
  const config = MCPCacheConfigSchema.parse({ highWaterMark: 1, ...overrides });
  const clock = { now: 1_000, fails: false };
  const now = () => {
    if (clock.fails) throw new Error('no clock');
    return clock.now;
  };
  const cache = createCache({ config: () => config, now });
  const has = (key: string) => cache.get(key).hit;
  return { cache, config, clock, has };
}

describe.each(POLICIES)('%s', (evictionPolicy) => {
  test('INV-MCP-CACHE-001: the size never passes maxSizeBytes, and eviction begins at highWaterMark', () => {
    const { cache } = setup({ evictionPolicy, maxSizeBytes: 1_000, highWaterMark: 0.9, lowWaterMark: 0.7 });
    for (let index = 0; index < 9; index += 1) cache.set(`key${index}`, ofBytes(100));
    expect(cache.stats()).toMatchObject({ currentSizeBytes: 900, evictionCount: 0 });
    cache.set('one more', ofBytes(100));
    expect(cache.stats()).toMatchObject({ currentSizeBytes: 700, evictionCount: 3 });
    for (let index = 0; index < 100; index += 1) {
      cache.set(`key${index}`, ofBytes(2 + ((index * 37) % 1_000)));
      expect(cache.stats().currentSizeBytes).toBeLessThanOrEqual(1_000);
    }
  });

  test('INV-MCP-CACHE-002: the count never passes maxEntries, however small the entries', () => {
    const { cache } = setup({ evictionPolicy, maxEntries: 10 });
    for (let index = 0; index < 100; index += 1) {
      cache.set(`key${index}`, 0);
      expect(cache.stats().entryCount).toBeLessThanOrEqual(10);
    }
    expect(cache.stats().entryCount).toBeGreaterThanOrEqual(7);
  });

  test('INV-MCP-CACHE-003: an expired entry is not returned, and is removed', () => {
    const { cache, clock, has } = setup({ evictionPolicy, defaultTtlMs: 100 });
    cache.set('default', 1);
    cache.set('longer', 1, { ttlMs: 200 });
    cache.set('for ever', 1, { ttlMs: 0 });
    clock.now += 99;
    expect(['default', 'longer', 'for ever'].map(has)).toEqual([true, true, true]);
    clock.now += 1;
    expect(['default', 'longer', 'for ever'].map(has)).toEqual([false, true, true]);
    expect(cache.stats().entryCount).toBe(2);
    clock.now += 1e9;
    expect(['default', 'longer', 'for ever'].map(has)).toEqual([false, false, true]);
  });

  test('INV-MCP-CACHE-005: a set that is refused or fails leaves entries and size as they were', () => {
    const { cache, clock, has } = setup({ evictionPolicy, maxSizeBytes: 100 });
    cache.set('kept', ofBytes(90));
    const before = cache.stats();
    expect(cache.set('too large', ofBytes(101))).toBe(false);
    expect(cache.set('', ofBytes(90))).toBe(false);
    expect(cache.set('k'.repeat(257), ofBytes(90))).toBe(false);
    expect(cache.set('cannot be measured', new Array(2 ** 32 - 1))).toBe(false);
    clock.fails = true;
    expect(() => cache.set('kept', ofBytes(20))).toThrow('no clock');
    clock.fails = false;
    expect(cache.stats()).toEqual(before);
    expect(has('kept')).toBe(true);
  });

  test('INV-MCP-CACHE-006: the size is the sum of the entries after every kind of change', () => {
    const { cache, clock } = setup({ evictionPolicy });
    const size = () => cache.stats().currentSizeBytes;
    cache.set('a', ofBytes(100), { ttlMs: 50 });
    cache.set('b', ofBytes(30), { priority: 'low' });
    cache.set('c', { nested: ['é', 1.5] }, { priority: 'high' });
    expect(size()).toBe(100 + 30 + 21);
    cache.set('a', ofBytes(10), { ttlMs: 50 });
    expect(size()).toBe(10 + 30 + 21);
    cache.delete('b');
    expect(size()).toBe(10 + 21);
    clock.now += 50;
    cache.cleanup();
    expect(size()).toBe(21);
    cache.clear();
    expect(size()).toBe(0);
  });
});

test('INV-MCP-CACHE-004: with lru, what was used longest ago goes first', () => {
  const { cache, has } = setup({ evictionPolicy: 'lru', maxEntries: 4, lowWaterMark: 0.75 });
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
  for (const key of ['b', 'a', 'a', 'd']) cache.get(key);
  cache.set('e', 1);
  expect(['c', 'b', 'a', 'd', 'e'].map(has)).toEqual([false, false, true, true, true]);
});

test('a hit returns the value itself and a copy of the entry', () => {
  const { cache, clock } = setup({ defaultTtlMs: 500 });
  const value = { name: 'Ada' };
  cache.set('key', value);
  clock.now += 10;
  const result = cache.get('key');
  expect(result.value).toBe(value);
  expect(CacheGetResultSchema.strict().parse(result).entry).toEqual({
    key: 'key',
    value,
    sizeBytes: 14,
    createdAt: 1_000,
    lastAccessedAt: 1_010,
    accessCount: 1,
    ttlMs: 500,
  });
  expect(Object.keys(result.entry ?? {})).toHaveLength(7);
});

test('undefined is a value like any other', () => {
  const { cache } = setup();
  cache.set('key', undefined);
  expect(cache.get('key').hit).toBe(true);
});

test('a value that cannot be kept still outdates what its key held', () => {
  const { cache, has } = setup({ maxSizeBytes: 100 });
  cache.set('key', 'old');
  expect(cache.set('key', ofBytes(101))).toBe(false);
  expect(has('key')).toBe(false);
});

test('delete says whether something was there, clear forgets everything but the counters', () => {
  const { cache, has } = setup();
  cache.set('a', 1);
  cache.set('b', 1);
  expect([cache.delete('b'), cache.delete('b')]).toEqual([true, false]);
  has('a');
  cache.clear();
  expect(cache.stats()).toMatchObject({ entryCount: 0, currentSizeBytes: 0, hitCount: 1 });
});

test('statistics count hits, misses, evictions and the last cleanup', () => {
  const { cache, clock } = setup({ maxEntries: 2, lowWaterMark: 0.5 });
  expect(MCPCacheStatsSchema.parse(cache.stats())).toEqual({
    entryCount: 0,
    currentSizeBytes: 0,
    maxSizeBytes: 104_857_600,
    hitCount: 0,
    missCount: 0,
    hitRate: 0,
    evictionCount: 0,
    pressureLevel: 'low',
  });
  for (const key of ['a', 'b', 'c']) cache.set(key, 1, { ttlMs: 10 });
  for (const key of ['a', 'b', 'c', 'c']) cache.get(key);
  clock.now += 10;
  cache.cleanup();
  const expected = { entryCount: 0, hitCount: 2, missCount: 2, hitRate: 0.5, evictionCount: 2, lastCleanupAt: 1_010 };
  expect(MCPCacheStatsSchema.parse(cache.stats())).toMatchObject(expected);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ' ', '\0', 'k'.repeat(256)])(
  'the key %j is a key like any other',
  (key) => {
    const { cache } = setup();
    expect(cache.get(key).hit).toBe(false);
    expect(cache.set(key, 'value')).toBe(true);
    expect(cache.get(key).value).toBe('value');
    expect(cache.delete(key)).toBe(true);
    expect(cache.stats().entryCount).toBe(0);
    expect(Object.hasOwn(Object.prototype, 'value')).toBe(false);
  },
);
