import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestKey } from './nearest-key.js';

test.each([
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['same', 'same', 0],
  ['limts', 'limits', 1],
])('from %j to %j it is %i letters', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test('the distance is the same in both directions, and no more than the longer word', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(editDistance(one, other)).toBe(editDistance(other, one));
      expect(editDistance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
    }),
  );
});

test('the nearest key is found whatever the case', () => {
  expect(nearestKey('PAGESIZE', ['request', 'response', 'pageSize'])).toBe('pageSize');
});

test('there is no nearest key where none is known', () => {
  expect(nearestKey('x', [])).toBeUndefined();
});
