import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeOf, scanJson } from './json-text.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const isAccepted = (text: string) => !('message' in scanJson(text));

describe('scanJson', () => {
  test('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 10 }), fc.constantFrom(0, 2, '\t'), (json, indent) => {
        expect(isAccepted(JSON.stringify(JSON.parse(json), null, indent))).toBe(true);
      }),
    );
  });

  test('refuses what JSON.parse refuses, and nothing else', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      'true',
      'nul',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\u0001',
      '"\u0001"',
      '"\\n"',
      '"\\x"',
      '01',
      '1e5',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (chosen) => {
        expect(isAccepted(chosen.join(''))).toBe(isJson(chosen.join('')));
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['', 1, 1, 'expected a value'],
    ['{', 1, 2, 'expected a name in double quotes'],
    ['{\n  "a": 1,\n}', 3, 1, 'expected a name in double quotes'],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3, 'expected a comma or }'],
    ['{ "a" 1 }', 1, 7, 'expected a colon'],
    ['[1 2]', 1, 4, 'expected a comma or ]'],
    ['{ "a": hello }', 1, 8, 'expected a value'],
    ['{ "a": "open\n}', 1, 8, 'expected a value'],
    ['{} // done', 1, 4, 'expected the end of the file'],
  ])('tells the place and the reason of %j', (text, line, column, message) => {
    const problem = scanJson(text);
    if (!('message' in problem)) throw new Error('It was accepted');
    expect({ ...placeOf(text, problem.offset), message: problem.message }).toEqual({ line, column, message });
  });

  test('refuses a hundred thousand levels without running out of stack', () => {
    expect(scanJson('['.repeat(100_000))).toMatchObject({ message: 'nested deeper than 64 levels' });
    expect(scanJson('{"a":'.repeat(100_000))).toMatchObject({ message: 'nested deeper than 64 levels' });
  });

  test('takes a string of a megabyte, escapes and all', () => {
    expect(isAccepted(JSON.stringify('\n"'.repeat(250_000)))).toBe(true);
    expect(isAccepted(JSON.stringify('x'.repeat(1_000_000)))).toBe(true);
  });

  test('knows where members and items begin, and takes the nearest outer one for what is missing', () => {
    const text = '{ "a": [1, { "b": 2 }] }';
    const scanned = scanJson(text);
    if ('message' in scanned) throw new Error(scanned.message);
    expect(scanned.offsetOf(['a'])).toBe(text.indexOf('"a"'));
    expect(scanned.offsetOf(['a', '1', 'b'])).toBe(text.indexOf('"b"'));
    expect(scanned.offsetOf(['a', '1', 'c', 'd'])).toBe(text.indexOf('{ "b"'));
    expect(scanned.offsetOf([])).toBe(0);
  });
});
