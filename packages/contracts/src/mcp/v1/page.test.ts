import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './page.js';
import type { ToolError } from './response/errors.js';

function refusal(list: string, cursor: string): ToolError {
  try {
    decodeCursor(list, cursor);
  } catch (error) {
    return error as ToolError;
  }
  throw new Error(`${cursor} was taken for a cursor of ${list}`);
}

test('a cursor leads back to its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (list, place) => {
      expect(decodeCursor(list, encodeCursor(list, place))).toBe(place);
    }),
  );
});

test('a cursor can stand in a URL', () => {
  expect(encodeCursor('memory_list', '??>>ÿÿ')).toMatch(/^[\w-]+$/);
});

const encoded = (json: string) => Buffer.from(json).toString('base64url');

test.each([
  ["another list's", encodeCursor('memory_search', '7')],
  ['empty', ''],
  ['garbage', '!!!'],
  ['a number', '7'],
  ['JSON that is not in base64', '["memory_list","7"]'],
  ['a foreign object', encoded('{"list":"memory_list","place":"7"}')],
  ['a foreign list', encoded('["memory_list"]')],
  ['a place that is not a text', encoded('["memory_list",7]')],
  ['null', encoded('null')],
  ['a text', encoded('"memory_list"')],
  ['cut in half', encodeCursor('memory_list', '7').slice(0, 12)],
])('a cursor that is %s is refused', (_what, cursor) => {
  const { code, toolCode, message, context } = refusal('memory_list', cursor);
  expect({ code, toolCode, message, context }).toEqual({
    code: 'INVALID_FORMAT',
    toolCode: 'INVALID_CURSOR',
    message: 'This cursor is not one that memory_list gave out',
    context: { path: 'cursor' },
  });
});

test('no text is a cursor by chance', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(refusal('memory_list', text).toolCode).toBe('INVALID_CURSOR');
    }),
  );
});
