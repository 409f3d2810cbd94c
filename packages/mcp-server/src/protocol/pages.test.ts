import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './pages.js';

const refused = expect.objectContaining({ code: -32602 });

test('following the cursors gives every item once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 10 }), (items, size) => {
      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = pageOf(items, { list: 'numbers', params: { cursor }, size });
        expect(page.items.length).toBeLessThanOrEqual(size);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(items);
    }),
  );
});

test('the last page has no cursor', () => {
  expect(pageOf([1, 2], { list: 'numbers', params: undefined, size: 2 })).toEqual({ items: [1, 2] });
});

test('a cursor of another list is refused', () => {
  const { nextCursor } = pageOf([1, 2], { list: 'numbers', params: undefined, size: 1 });
  expect(() => pageOf([1, 2], { list: 'letters', params: { cursor: nextCursor }, size: 1 })).toThrow(refused);
});

test.each([
  '',
  'nonsense',
  Buffer.from('["numbers","-1"]').toString('base64url'),
  Buffer.from('["numbers","x"]').toString('base64url'),
])('the cursor %j is refused', (cursor) => {
  expect(() => pageOf([1], { list: 'numbers', params: { cursor }, size: 1 })).toThrow(refused);
});

test('where the list has shrunk below a cursor, its page is empty', () => {
  const { nextCursor } = pageOf([1, 2, 3], { list: 'numbers', params: undefined, size: 2 });
  expect(pageOf([1], { list: 'numbers', params: { cursor: nextCursor }, size: 2 })).toEqual({ items: [] });
});
