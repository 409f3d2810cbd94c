import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from './canonical.js';

const parse = (json: string): unknown => JSON.parse(json);

test('the order of keys does not matter, at any depth', () => {
  expect(hashOf({ a: 1, b: { c: [{ d: 1, e: 2 }], f: 3 } })).toBe(hashOf({ b: { f: 3, c: [{ e: 2, d: 1 }] }, a: 1 }));
});

test('the order of items does', () => {
  expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
});

test.each([
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":null}', '{}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"a":["b"]}', '{"a":{"0":"b"}}'],
  ['{"__proto__":1}', '{}'],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
  ['{"a":{"__proto__":{"a":1}}}', '{"a":{}}'],
  ['{"constructor":1}', '{}'],
])('%s and %s are different', (one, other) => {
  expect(hashOf(parse(one))).not.toBe(hashOf(parse(other)));
});

test('a value that was sent as JSON and read again is the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(hashOf(parse(JSON.stringify(value)))).toBe(hashOf(value));
    }),
  );
});

test('a name is short, whatever the arguments', () => {
  expect(hashOf({ value: 'x'.repeat(1_000_000) })).toMatch(/^[\w-]{43}$/);
});
