import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Method } from './method.js';
import { checkedParams } from './params.js';

const method = (params: z.ZodType): Method => ({
  eras: ['handshake'],
  params: params as unknown as Method['params'],
  handle: () => ({}),
});

test('params are given as the schema made them', () => {
  const params = z.looseObject({ level: z.string().default('info') });
  expect(checkedParams(method(params), 'a/b', { more: 1 })).toEqual({ level: 'info', more: 1 });
});

test('params of another shape are -32602 and say which method and where', () => {
  const params = z.object({ ref: z.object({ name: z.string() }) });
  expect(() => checkedParams(method(params), 'a/b', { ref: { name: 5 } })).toThrow(
    expect.objectContaining({ code: -32602, message: expect.stringMatching(/^Invalid params of a\/b: ref\.name .+/) }),
  );
});

test('what is said of them stays short, however long their keys are', () => {
  const params = z.record(z.string(), z.string());
  try {
    checkedParams(method(params), 'a/b', { ['k'.repeat(100_000)]: 1 });
    expect.unreachable();
  } catch (error) {
    expect((error as Error).message).toHaveLength(500);
  }
});
