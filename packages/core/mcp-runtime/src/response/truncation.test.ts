import { MCPResponseLimitsSchema } from '@automatosx/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncate } from './truncation.js';

const LIMITS = MCPResponseLimitsSchema.parse({});
const SUFFIX = '... [truncated]';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('lists', () => {
  test('lose items from their end: first those beyond a hundred', () => {
    expect(truncate({ list: numbers(5_000) }, LIMITS, 1_000)).toEqual({ list: numbers(100) });
  });

  test('then half of what is left, until it fits', () => {
    expect(truncate({ list: numbers(5_000) }, LIMITS, 170)).toEqual({ list: numbers(50) });
    expect(truncate({ list: numbers(5_000) }, LIMITS, 12)).toEqual({ list: numbers(1) });
    expect(truncate({ list: numbers(5_000) }, LIMITS, 11)).toEqual({ list: [] });
  });

  test('keep whole items', () => {
    const item = { id: 'a'.repeat(30), list: [1, 2, 3] };
    const { items } = truncate({ items: Array(60).fill(item) }, LIMITS, 1_000) as { items: unknown[] };
    expect(items).toEqual(Array(12).fill(item));
  });
});

describe('texts', () => {
  test('lose their tail, and say so', () => {
    expect(truncate({ text: 'x'.repeat(20_000), short: 'y' }, LIMITS, 12_000)).toEqual({
      text: `${'x'.repeat(10_000)}${SUFFIX}`,
      short: 'y',
    });
  });

  test('are left whole where the cut would make them longer', () => {
    const text = 'x'.repeat(10_000 + SUFFIX.length);
    expect(truncate({ text }, LIMITS, 1_000_000)).toEqual({ text });
  });

  test('lose more when the lists are gone', () => {
    const data = { text: 'x'.repeat(20_000), list: numbers(500) };
    expect(truncate(data, LIMITS, 2_000)).toEqual({ text: `${'x'.repeat(1_000)}${SUFFIX}`, list: [] });
  });

  test('are cut between characters', () => {
    const { text } = truncate({ text: `x${'😀'.repeat(10_000)}` }, LIMITS, 50_000) as { text: string };
    expect(text).toBe(`x${'😀'.repeat(4_999)}${SUFFIX}`);
  });

  test('end as the configuration says', () => {
    const limits = MCPResponseLimitsSchema.parse({ maxStringLength: 3, truncationSuffix: '…' });
    expect(truncate(['abcdef', 'abcd'], limits, 100)).toEqual(['abc…', 'abcd']);
  });
});

describe('the rest stays', () => {
  test('names, numbers, booleans and null', () => {
    const data = { n: 1.5, yes: true, none: null, inner: { list: numbers(200) } };
    expect(truncate(data, LIMITS, 100)).toEqual({ ...data, inner: { list: numbers(12) } });
  });

  test.each(['__proto__', 'constructor', 'toString'])('a key named %s', (key) => {
    const data = JSON.parse(`{"${key}":{"a":1},"list":${JSON.stringify(numbers(500))}}`);
    expect(JSON.stringify(truncate(data, LIMITS, 40))).toMatch(new RegExp(`^{"${key}":{"a":1},"list":\\[`));
  });

  test('and the data that was given', () => {
    const data = { list: numbers(500), text: 'x'.repeat(20_000) };
    truncate(data, LIMITS, 100);
    expect([data.list.length, data.text.length]).toEqual([500, 20_000]);
  });

  test('where names and numbers alone are too large there is nothing', () => {
    const data = Object.fromEntries(numbers(1_000).map((number) => [`key${number}`, number]));
    expect(truncate(data, LIMITS, 1_000)).toBeUndefined();
  });
});

/** True if the one is the other with items and tails cut off. */
const isCutOf = (cut: unknown, whole: unknown): boolean => {
  if (typeof cut === 'string' && typeof whole === 'string') {
    return cut === whole || (cut.endsWith(SUFFIX) && whole.startsWith(cut.slice(0, -SUFFIX.length)));
  }
  if (Array.isArray(cut) && Array.isArray(whole)) {
    return cut.length <= whole.length && cut.every((item, index) => isCutOf(item, whole[index]));
  }
  if (typeof cut !== 'object' || typeof whole !== 'object' || !cut || !whole) return cut === whole;
  const names = Object.keys(whole);
  return (
    JSON.stringify(Object.keys(cut)) === JSON.stringify(names) &&
    names.every((name) => isCutOf((cut as never)[name], (whole as never)[name]))
  );
};

test('INV-MCP-RESP-003: of any data, what is left fits, is well-formed, and is the same data with ends cut off', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', minLength: 50, maxLength: 400 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.double({ noNaN: true }), fc.boolean(), text, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 30 }),
    object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), tie('value')),
  }));
  const limits = { ...LIMITS, maxListItems: 20, maxStringLength: 100 };
  fc.assert(
    fc.property(value, fc.integer({ min: 20, max: 2_000 }), (made, maxBytes) => {
      const data = plain(made);
      const shortened = truncate(data, limits, maxBytes);
      expect(bytesOf(shortened)).toBeLessThanOrEqual(maxBytes);
      if (shortened === undefined) return;
      expect(JSON.stringify(shortened).isWellFormed()).toBe(true);
      expect(JSON.stringify(shortened)).not.toMatch(/\\u[dD][89a-fA-F]/);
      expect(isCutOf(plain(shortened), data)).toBe(true);
    }),
  );
});
