import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf } from './text.js';

test.each([
  ['abc', 5, 'abc'],
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['abc', 0, ''],
  ['a😀b', 3, 'a😀'],
  ['a😀b', 2, 'a'],
  ['😀', 1, ''],
])('of %j the first %i are %j', (text, length, beginning) => {
  expect(beginningOf(text, length)).toBe(beginning);
});

test('the beginning of whole characters has only whole characters, and at most one less than asked for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, length) => {
      const beginning = beginningOf(text, length);
      expect(text.startsWith(beginning)).toBe(true);
      expect(beginning.isWellFormed()).toBe(true);
      expect(Math.min(length, text.length) - beginning.length).toBeOneOf([0, 1]);
    }),
  );
});
