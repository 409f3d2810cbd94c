import { type MCPCacheConfig, MCPCacheConfigSchema } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import { createCache } from './index.js';

type Priority = 'low' | 'normal' | 'high';

function setup(overrides: Partial<MCPCacheConfig> = {}) {
  const config = MCPCacheConfigSchema.parse({ maxEntries: 10, ...overrides });
  const cache = createCache({ config: () => config, now: () => 1_000 });
  const fill = (prefix: string, count: number, priority: Priority = 'normal') =>
    Array.from({ length: count }, (_, index) => cache.set(`${prefix}${index}`, 0, { priority }));
  const present = (...keys: string[]) => keys.filter((key) => cache.get(key).hit);
  return { cache, config, fill, present };
}

describe('water marks', () => {
  test('nothing is evicted up to the high mark; past it, until the low mark', () => {
    const { cache, fill } = setup();
    fill('key', 9);
    expect(cache.stats()).toMatchObject({ entryCount: 9, evictionCount: 0 });
    fill('more', 1);
    expect(cache.stats()).toMatchObject({ entryCount: 7, evictionCount: 3 });
  });

  test('a value as large as the cache is kept, alone', () => {
    const { cache, fill } = setup({ maxSizeBytes: 100 });
    fill('key', 5);
    expect(cache.set('all of it', 'x'.repeat(98))).toBe(true);
    expect(cache.stats()).toMatchObject({ entryCount: 1, currentSizeBytes: 100, pressureLevel: 'high' });
  });

  test('a low mark above the high mark does not delay eviction', () => {
    const { cache, fill } = setup({ highWaterMark: 0.5, lowWaterMark: 0.9 });
    fill('key', 8);
    expect(cache.stats().entryCount).toBe(5);
  });

  test('a cache for one entry holds the latest', () => {
    const { fill, present } = setup({ maxEntries: 1 });
    expect(fill('key', 3)).toEqual([true, true, true]);
    expect(present('key0', 'key1', 'key2')).toEqual(['key2']);
  });
});

describe('priority', () => {
  test.each(['lru', 'lfu', 'fifo'] as const)('%s: low goes before normal, normal before high', (evictionPolicy) => {
    const { cache, fill, present } = setup({ evictionPolicy, maxSizeBytes: 1_000 });
    fill('high', 3, 'high');
    fill('normal', 3);
    fill('low', 3, 'low');
    present('low0', 'low1', 'low2');
    fill('first', 1);
    expect(present('low0', 'low1', 'low2')).toEqual([]);
    fill('second', 3);
    expect(present('high0', 'high1', 'high2', 'normal0')).toEqual(['high0', 'high1', 'high2']);
    cache.set('large', 'x'.repeat(998), { priority: 'high' });
    expect(cache.stats().entryCount).toBe(1);
  });

  test('a newcomer of lower priority is refused before a high one is evicted, and evicts nobody else then', () => {
    const { cache, fill, present } = setup({ maxSizeBytes: 100 });
    cache.set('high', 'x'.repeat(58), { priority: 'high' });
    fill('key', 3);
    expect(cache.set('too large beside it', 'x'.repeat(48))).toBe(false);
    expect(present('high', 'key0', 'key1', 'key2')).toHaveLength(4);
    expect(cache.set('high too', 'x'.repeat(48), { priority: 'high' })).toBe(true);
    expect(present('high', 'key0', 'key1', 'key2')).toHaveLength(0);
  });
});

describe('pressure', () => {
  test.each([
    [0, 'low'],
    [49, 'low'],
    [50, 'medium'],
    [69, 'medium'],
    [89, 'medium'],
    [90, 'high'],
    [100, 'high'],
  ])('%i of 100 entries is %s', (count, pressureLevel) => {
    const { cache, fill } = setup({ maxEntries: 100, highWaterMark: 1 });
    fill('key', count);
    expect(cache.stats().pressureLevel).toBe(pressureLevel);
  });

  test('the larger share counts, of bytes or of entries', () => {
    const { cache } = setup({ maxSizeBytes: 100 });
    cache.set('half', 'x'.repeat(48));
    expect(cache.stats()).toMatchObject({ entryCount: 1, pressureLevel: 'medium' });
  });

  test('critical is a cache full of high-priority entries, until they expire or the maximum grows', () => {
    const { cache, config, fill } = setup({ maxEntries: 100, highWaterMark: 1 });
    fill('high', 96, 'high');
    expect(cache.stats().pressureLevel).toBe('high');
    fill('one more', 1, 'high');
    expect(cache.stats().pressureLevel).toBe('critical');
    expect(fill('normal', 4)).toEqual([true, true, true, true]);
    expect(cache.stats()).toMatchObject({ entryCount: 98, pressureLevel: 'critical' });
    config.maxEntries = 200;
    expect(cache.stats().pressureLevel).toBe('low');
  });

  test('a lowered maximum evicts high-priority entries down to the maximum only, and is critical', () => {
    const { cache, config, fill } = setup({ maxEntries: 100 });
    fill('high', 50, 'high');
    fill('normal', 30);
    config.maxEntries = 40;
    expect(cache.stats()).toMatchObject({ entryCount: 40, evictionCount: 40, pressureLevel: 'critical' });
    expect(fill('refused', 1)).toEqual([false]);
    expect(fill('accepted', 1, 'high')).toEqual([true]);
    expect(cache.stats()).toMatchObject({ entryCount: 28, pressureLevel: 'medium' });
  });
});

describe('a configuration that changes while running', () => {
  test('a lowered maximum holds from the next operation on', () => {
    const { cache, config, fill, present } = setup();
    fill('key', 9);
    config.maxEntries = 5;
    expect(present('key5', 'key6')).toEqual(['key6']);
    expect(cache.stats().entryCount).toBe(3);
    config.maxSizeBytes = 1;
    cache.cleanup();
    expect(cache.stats()).toMatchObject({ entryCount: 0, maxSizeBytes: 1 });
  });

  test('a new default ttl is for entries stored from then on', () => {
    const { cache, config } = setup({ defaultTtlMs: 5 });
    cache.set('before', 1);
    config.defaultTtlMs = 7;
    cache.set('after', 1);
    expect([cache.get('before').entry?.ttlMs, cache.get('after').entry?.ttlMs]).toEqual([5, 7]);
  });
});
