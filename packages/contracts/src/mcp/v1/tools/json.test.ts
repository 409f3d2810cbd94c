import { describe, expect, test } from 'vitest';
import { json, jsonObject } from './json.js';

describe('any JSON', () => {
  test.each([null, false, 0, '', [], {}, { a: [1] }])('%j is taken as it is', (value) => {
    expect(json.parse(value)).toBe(value);
  });

  test('nothing at all is not JSON', () => {
    expect(json.safeParse(undefined).success).toBe(false);
  });

  test('a key named __proto__ stays', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(json.parse(value))).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(jsonObject.parse(value))).toBe('{"__proto__":{"a":1}}');
  });
});

describe('an object', () => {
  test('is taken as it is', () => {
    const value = { a: 1 };
    expect(jsonObject.parse(value)).toBe(value);
  });

  test.each([null, [], 'text', 5, true, undefined])('is not %j', (value) => {
    expect(jsonObject.safeParse(value).success).toBe(false);
  });
});
