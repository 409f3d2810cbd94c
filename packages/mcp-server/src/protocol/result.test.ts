import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Method } from './method.js';
import { membersOf } from './result.js';

const method = (more: Partial<Method> = {}): Method => ({
  eras: ['handshake', 'stateless'],
  params: z.never(),
  handle: () => ({}),
  ...more,
});
const cacheable = { ttlMs: 5, cacheScope: 'private' } as const;
const identity = () => ({ meta: { who: 'us' }, json: '{"who":"us"}' });

const resultOf = (
  result: Parameters<typeof membersOf>[0],
  era: 'handshake' | 'stateless',
  more: Partial<Method> = {},
) => JSON.parse(`{${membersOf(result, method(more), { era, identity })}}`);

test('a handshake result is what the method gave, as object or as text', () => {
  expect(resultOf({ a: 1, _meta: { b: 2 } }, 'handshake', { cacheable })).toEqual({ a: 1, _meta: { b: 2 } });
  expect(resultOf('"a":1', 'handshake')).toEqual({ a: 1 });
  expect(resultOf({}, 'handshake')).toEqual({});
});

test('a stateless one is complete, may be kept as its method says, and tells who gave it', () => {
  expect(resultOf({ a: 1 }, 'stateless', { cacheable })).toEqual({
    a: 1,
    resultType: 'complete',
    ...cacheable,
    _meta: { who: 'us' },
  });
  expect(resultOf('"a":1', 'stateless')).toEqual({ a: 1, resultType: 'complete', _meta: { who: 'us' } });
});

test('what the method says itself goes before, its own _meta is kept, and nobody else tells who we are', () => {
  const own = { resultType: 'input_required', ttlMs: 9, _meta: { mine: 1, who: 'others' } };
  expect(resultOf(own, 'stateless', { cacheable })).toEqual({
    resultType: 'input_required',
    ttlMs: 9,
    cacheScope: 'private',
    _meta: { mine: 1, who: 'us' },
  });
});
