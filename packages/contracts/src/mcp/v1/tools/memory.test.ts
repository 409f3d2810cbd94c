import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  MAX_VALUE_BYTES,
  MemoryToolErrorCode,
  memoryBulkDelete,
  memoryDelete,
  memoryList,
  memoryRetrieve,
  memorySearch,
  memoryStore,
} from './memory.js';

const accepts = ({ input }: { input: z.ZodType }, value: unknown) => input.safeParse(value).success;

test('a value has at most 102,400 bytes', () => {
  expect(MAX_VALUE_BYTES).toBe(102_400);
});

test('the codes are those of the founding document', () => {
  expect(Object.values(MemoryToolErrorCode)).toEqual(['KEY_NOT_FOUND', 'DELETE_FAILED', 'NAMESPACE_NOT_FOUND']);
});

test.each([
  ['memory_store', memoryStore],
  ['memory_retrieve', memoryRetrieve],
  ['memory_delete', memoryDelete],
])('%s takes a key of 1 to 500 characters in a namespace of 1 to 100, or in "default"', (name, contract) => {
  const more = name === 'memory_store' ? { value: 1 } : {};
  expect(contract.input.parse({ key: 'k', ...more })).toMatchObject({ namespace: 'default' });
  expect(accepts(contract, { key: 'k'.repeat(500), namespace: 'n'.repeat(100), ...more })).toBe(true);
  for (const part of [
    { key: '' },
    { key: 'k'.repeat(501) },
    { key: 5 },
    { key: undefined },
    { namespace: '' },
    { namespace: 'n'.repeat(101) },
    { other: 1 },
  ]) {
    expect(accepts(contract, { key: 'k', ...more, ...part })).toBe(false);
  }
});

describe('memory_store', () => {
  test.each([null, false, 0, '', [], { a: { b: [1] } }])('takes %j', (value) => {
    expect(memoryStore.input.parse({ key: 'k', value })).toMatchObject({ value });
  });

  test.each([
    [true, { expectedVersion: 0, ttlMs: 1 }],
    [false, { expectedVersion: -1 }],
    [false, { expectedVersion: 1.5 }],
    [false, { ttlMs: 0 }],
    [false, { ttlMs: 31_536_000_000_001 }],
  ])('it is %s that it takes %j', (isTaken, part) => {
    expect(accepts(memoryStore, { key: 'k', value: 1, ...part })).toBe(isTaken);
  });
});

test('memory_search takes a query, and looks into keys unless told otherwise', () => {
  expect(memorySearch.input.parse({ query: 'q' })).toEqual({ query: 'q', in: 'key', limit: 10, offset: 0 });
  for (const part of [{ query: '' }, { query: 'q'.repeat(501) }, { in: 'keys' }]) {
    expect(accepts(memorySearch, { query: 'q', ...part })).toBe(false);
  }
});

test('memory_list takes a namespace and a prefix, or neither', () => {
  expect(memoryList.input.parse({})).toEqual({ limit: 100, offset: 0 });
  expect(accepts(memoryList, { namespace: 'n', prefix: 'p'.repeat(200) })).toBe(true);
  expect(accepts(memoryList, { prefix: 'p'.repeat(201) })).toBe(false);
});

describe('memory_bulk_delete', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

  test.each([
    [true, { keys: keys(1) }],
    [true, { keys: keys(1_000) }],
    [true, { prefix: 'p' }],
    [false, { keys: keys(1_001) }],
    [false, { keys: [] }],
    [false, { keys: [''] }],
    [false, { prefix: '' }],
    [false, { keys: keys(1), prefix: 'p' }],
    [false, {}],
  ])('it is %s that it takes %j', (isTaken, input) => {
    expect(accepts(memoryBulkDelete, input)).toBe(isTaken);
  });

  test('works in "default" unless told otherwise', () => {
    expect(memoryBulkDelete.input.parse({ prefix: 'p' })).toEqual({ prefix: 'p', namespace: 'default' });
  });
});
