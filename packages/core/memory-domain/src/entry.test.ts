import { describe, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';

const entryOf = (value: unknown) => toNewEntry({ namespace: 'default', key: 'k', value });
const wordsOf = (value: unknown) => entryOf(value).words;

test('carries the request, its JSON and the size of that in UTF-8', () => {
  const entry = toNewEntry({ namespace: 'team', key: 'k', value: { a: 'ü' }, ttlMs: 5, expectedVersion: 0 });
  expect(entry).toEqual({
    namespace: 'team',
    key: 'k',
    json: '{"a":"ü"}',
    sizeBytes: 10,
    words: 'ü',
    ttlMs: 5,
    expectedVersion: 0,
  });
});

describe('size', () => {
  test('102,400 bytes of JSON fit, in whatever characters', () => {
    expect(entryOf('a'.repeat(102_398)).sizeBytes).toBe(102_400);
    expect(entryOf('ü'.repeat(51_199)).sizeBytes).toBe(102_400);
  });

  test('one byte more is refused with both numbers', () => {
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      toolCode: 'VALUE_TOO_LARGE',
      message: 'The value of k has 102401 bytes; at most 102400 fit',
      context: { path: 'value', limit: 102_400, actual: 102_401 },
    });
    expect(() => entryOf('a'.repeat(102_399))).toThrow(refused);
  });
});

describe('words', () => {
  test('are all texts and numbers in order, not names of fields, booleans or null', () => {
    expect(wordsOf({ title: 'one', list: ['two', { deep: ['three', 4] }, -5.5], no: [true, null] })).toBe(
      'one two three 4 -5.5',
    );
    expect([wordsOf('text'), wordsOf(42), wordsOf(null), wordsOf(false), wordsOf({}), wordsOf([])]).toEqual([
      'text',
      '42',
      '',
      '',
      '',
      '',
    ]);
  });

  test('end after 20,000 characters', () => {
    expect(wordsOf('a'.repeat(30_000))).toHaveLength(20_000);
    expect(wordsOf(Array.from({ length: 9000 }, () => 'abcd'))).toHaveLength(20_000);
  });

  test('are found however deep they lie', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 60; depth++) value = [value];
    expect(wordsOf(value)).toBe('bottom');
  });
});

test.each(['key', 'namespace'])('a %s with a NUL is refused', (path) => {
  const request = { namespace: 'default', key: 'k', value: 1, [path]: 'a\0b' };
  const refused = expect.objectContaining({ code: 'INVALID_FORMAT', context: { path } });
  expect(() => toNewEntry(request)).toThrow(refused);
});
