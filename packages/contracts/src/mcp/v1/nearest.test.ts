import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

const NAMES = ['memory_store', 'memory_list', 'pageSize', 'key', 'limits'];

test.each([
  ['memory_stroe', 'memory_store'],
  ['memorystore', 'memory_store'],
  ['memory_lists', 'memory_list'],
  ['PAGESIZE', 'pageSize'],
  ['page_size', 'pageSize'],
  ['limts', 'limits'],
  ['keys', 'key'],
])('%s most likely means %s', (name, meant) => {
  expect(nearest(name, NAMES)).toBe(meant);
});

test.each(['elephant', 'store', 'zzz', '__proto__', '', 'memory_store'.repeat(2)])('%j means none of them', (name) => {
  expect(nearest(name, NAMES)).toBeUndefined();
});

test('there is no nearest name where none is known', () => {
  expect(nearest('x', [])).toBeUndefined();
});

test('of names that are equally near, the first is taken', () => {
  expect(nearest('memory_lis', ['memory_lift', 'memory_list'])).toBe('memory_list');
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
});

/** Levenshtein's definition, word for word. */
const distance = (from: string, to: string): number => {
  if (from === '' || to === '') return from.length + to.length;
  const replaced = distance(from.slice(1), to.slice(1)) + (from[0] === to[0] ? 0 : 1);
  return Math.min(replaced, distance(from.slice(1), to) + 1, distance(from, to.slice(1)) + 1);
};

test('close is up to two letters, or a third of the known name', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, (name, known) => {
      const isClose = distance(name, known) <= Math.max(2, known.length / 3);
      expect(nearest(name, [known])).toBe(isClose ? known : undefined);
    }),
  );
});

test('a name of ten million letters is answered at once', () => {
  const started = performance.now();
  expect(nearest('memory_store'.padEnd(10_000_000, 'x'), NAMES)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1_000);
});
