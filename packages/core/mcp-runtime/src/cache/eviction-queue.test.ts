import { type MCPCacheConfig, MCPCacheConfigSchema } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import { createCache } from './index.js';

function setup(overrides: Partial<MCPCacheConfig>) {
  const config = MCPCacheConfigSchema.parse({ maxEntries: 4, highWaterMark: 1, lowWaterMark: 0.75, ...overrides });
  const cache = createCache({ config: () => config, now: () => 1_000 });
  const present = (...keys: string[]) => keys.filter((key) => cache.get(key).hit);
  return { cache, config, present };
}

test('with lfu, what was used least goes first, and of equals the one used longest ago', () => {
  const { cache, present } = setup({ evictionPolicy: 'lfu' });
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
  for (const key of ['a', 'a', 'a', 'd', 'c', 'b', 'b']) cache.get(key);
  cache.set('e', 1);
  expect(present('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b', 'e']);
});

test('with lfu, an overwritten key starts again', () => {
  const { cache, present } = setup({ evictionPolicy: 'lfu' });
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
  for (const key of ['a', 'a', 'b', 'c', 'd']) cache.get(key);
  cache.set('a', 2);
  cache.set('e', 1);
  expect(present('a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e']);
});

test('with fifo, use does not count and what was stored first goes first', () => {
  const { cache, present } = setup({ evictionPolicy: 'fifo' });
  for (const key of ['a', 'b', 'c', 'd', 'a']) cache.set(key, 1);
  for (const key of ['b', 'b', 'c']) cache.get(key);
  cache.set('e', 1);
  expect(present('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'd', 'e']);
});

test.each([
  ['fifo', 'lru', 'recent'],
  ['fifo', 'lfu', 'popular'],
  ['lru', 'fifo', 'young'],
  ['lru', 'lfu', 'popular'],
  ['lfu', 'fifo', 'young'],
  ['lfu', 'lru', 'recent'],
] as const)('from %s to %s while running: the %s one survives', (before, after, survivor) => {
  const { cache, config, present } = setup({ evictionPolicy: before });
  for (const key of ['popular', 'recent', 'young']) cache.set(key, 1);
  for (const key of ['popular', 'popular', 'recent', 'popular', 'young', 'recent']) cache.get(key);
  config.evictionPolicy = after;
  config.maxEntries = 2;
  expect(present('popular', 'recent', 'young')).toEqual([survivor]);
});

test('from lru to lfu while running: earlier uses count, and go on counting', () => {
  const { cache, config, present } = setup({ evictionPolicy: 'lru' });
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
  for (const key of ['c', 'b', 'b', 'a', 'a', 'a', 'd', 'd', 'd', 'd']) cache.get(key);
  config.evictionPolicy = 'lfu';
  for (const key of ['c', 'c']) cache.get(key);
  cache.set('e', 1);
  expect(present('a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e']);
});
