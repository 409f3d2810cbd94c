import { expect, test } from 'vitest';
import * as z from 'zod';
import { memoryList, memorySearch } from './memory.js';
import { paged } from './paging.js';
import { sessionList } from './session.js';
import { traceList } from './trace.js';

test.each([
  ['memory_list', memoryList, 100, 1_000],
  ['memory_search', memorySearch, 10, 100],
  ['session_list', sessionList, 20, 100],
  ['trace_list', traceList, 10, 1_000],
])('%s takes pages by offset or cursor', (name, { input, output }, byDefault, atMost) => {
  const given = name === 'memory_search' ? { query: 'x' } : {};
  const accepts = (part: object) => input.safeParse({ ...given, ...part }).success;
  expect(input.parse(given)).toMatchObject({ limit: byDefault, offset: 0 });
  expect(accepts({ limit: atMost, offset: 1_000_000_000, cursor: 'x'.repeat(500) })).toBe(true);
  for (const part of [
    { limit: atMost + 1 },
    { limit: 0 },
    { limit: 1.5 },
    { offset: -1 },
    { offset: 1_000_000_001 },
    { cursor: 'x'.repeat(501) },
    { limit: '5' },
  ]) {
    expect(accepts(part)).toBe(false);
  }
  expect(Object.keys(output.shape)).toEqual(
    expect.arrayContaining(['total', 'limit', 'offset', 'hasMore', 'nextCursor']),
  );
});

test('of what a page says, only nextCursor may be missing', () => {
  const page = { total: 1, limit: 1, offset: 0, hasMore: false };
  const accepts = (part: object) => z.object(paged).safeParse({ ...page, ...part }).success;
  expect([accepts({}), accepts({ nextCursor: 'c' })]).toEqual([true, true]);
  for (const name of Object.keys(page)) expect(accepts({ [name]: undefined })).toBe(false);
});
