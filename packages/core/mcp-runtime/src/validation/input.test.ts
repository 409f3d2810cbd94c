import { memoryBulkDelete, memoryList, memoryStore, sessionFail, sessionJoin } from '@automatosx/contracts';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { callOf, deepFreeze, failureOf, toolOf } from '../testing.js';
import { validate } from './input.js';

const SESSION = '0b9f3d5e-6f4b-4f39-9c52-1f3a7d9b2c11';

/** What the handler gets of the input. */
const validated = (contract: Parameters<typeof toolOf>[0], input: unknown) =>
  validate(callOf({ tool: toolOf(contract), input }), async (call) => call.input);

const refusal = (contract: Parameters<typeof toolOf>[0], input: unknown) => failureOf(() => validated(contract, input));

describe('an input that is right', () => {
  test('INV-MCP-001: goes on as the schema made it, with its defaults filled in', async () => {
    expect(await validated(memoryList, {})).toEqual({ limit: 100, offset: 0 });
    expect(await validated(memoryStore, { key: 'k', value: null })).toEqual({
      key: 'k',
      value: null,
      namespace: 'default',
    });
  });

  test('INV-MCP-005: is not changed', async () => {
    const input = deepFreeze({ key: 'k', value: { a: [{ b: 1 }] } });
    await validated(memoryStore, input);
    expect(input).toEqual({ key: 'k', value: { a: [{ b: 1 }] } });
  });

  test('keeps every key of a free value', async () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    const { value: passed } = (await validated(memoryStore, { key: 'k', value })) as { value: unknown };
    expect(JSON.stringify(passed)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});

describe('an input that is wrong', () => {
  test('INV-MCP-001: never reaches the handler', async () => {
    const handler = vi.fn(async () => 'done');
    await failureOf(() => validate(callOf({ tool: toolOf(memoryStore), input: {} }), handler));
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([
    ['MISSING_REQUIRED_FIELD', memoryStore, {}],
    ['MISSING_REQUIRED_FIELD', memoryStore, { key: 'k' }],
    ['MISSING_REQUIRED_FIELD', sessionFail, { sessionId: SESSION, error: { code: 'x' } }],
    ['INVALID_FORMAT', sessionJoin, { sessionId: 'x', agentId: 'a' }],
    ['ARRAY_TOO_LARGE', memoryBulkDelete, { keys: Array.from({ length: 1_001 }, (_, index) => `k${index}`) }],
    ['INVALID_INPUT', memoryStore, { key: 5, value: 1 }],
    ['INVALID_INPUT', memoryStore, { key: null, value: 1 }],
    ['INVALID_INPUT', memoryStore, { key: '', value: 1 }],
    ['INVALID_INPUT', memoryStore, { key: 'k', value: 1, nope: 1 }],
    ['INVALID_INPUT', memoryBulkDelete, {}],
    ['INVALID_INPUT', memoryBulkDelete, { keys: ['k'], prefix: 'k' }],
    ['INVALID_INPUT', sessionJoin, { sessionId: SESSION, agentId: 'a', role: 'initiator' }],
    ['INVALID_INPUT', sessionJoin, { sessionId: 'x' }],
    ['INVALID_INPUT', memoryStore, []],
    ['INVALID_INPUT', memoryStore, 'key'],
  ])('INV-MCP-RESP-002: is %s', async (code, contract, input) => {
    expect(await refusal(contract, input)).toMatchObject({ code, toolCode: undefined });
  });

  test('says what is missing', async () => {
    const { message, context } = await refusal(memoryStore, { value: 1 });
    expect(message).toBe('memory_store was refused: key: is required');
    expect(context).toEqual({ errors: [{ path: 'key', code: 'missing', message: 'is required' }] });
  });

  test('INV-MCP-LIMIT-004: says path, limit and actual size of what is too large or too small', async () => {
    const errorOf = async (contract: Parameters<typeof toolOf>[0], input: unknown) =>
      (await refusal(contract, input)).context?.errors;
    expect(await errorOf(memoryList, { limit: 1_001 })).toMatchObject([{ path: 'limit', limit: 1_000, actual: 1_001 }]);
    expect(await errorOf(memoryList, { offset: -1 })).toMatchObject([{ path: 'offset', limit: 0, actual: -1 }]);
    expect(await errorOf(memoryBulkDelete, { keys: [] })).toMatchObject([{ path: 'keys', limit: 1, actual: 0 }]);
    expect(await errorOf(memoryBulkDelete, { keys: ['a', 'x'.repeat(501)] })).toMatchObject([
      { path: 'keys[1]', code: 'too_big', limit: 500, actual: 501 },
    ]);
    expect(await errorOf(sessionFail, { sessionId: SESSION, error: { code: '', message: 'm' } })).toMatchObject([
      { path: 'error.code', code: 'too_small', limit: 1, actual: 0 },
    ]);
  });

  test('names an argument that there is not, and the one that may have been meant', async () => {
    const { message, context } = await refusal(memoryStore, { key: 'k', value: 1, namespce: 'n' });
    expect(message).toBe('memory_store was refused: namespce: There is no such argument; did you mean namespace?');
    expect(context?.errors).toEqual([
      {
        path: 'namespce',
        code: 'unrecognized_keys',
        message: 'There is no such argument; did you mean namespace?',
      },
    ]);
  });

  test('names each of several', async () => {
    const input = { key: 'k', value: 1, exectedVersion: 1, zzzzzzzz: 2 };
    expect((await refusal(memoryStore, input)).context?.errors).toMatchObject([
      { path: 'exectedVersion', message: 'There is no such argument; did you mean expectedVersion?' },
      { path: 'zzzzzzzz', message: 'There is no such argument' },
    ]);
  });

  test('names one inside an object by its path', async () => {
    const error = { code: 'c', message: 'm', mesage: 'm' };
    expect((await refusal(sessionFail, { sessionId: SESSION, error })).context?.errors).toMatchObject([
      { path: 'error.mesage', message: 'There is no such argument' },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is an argument that there is not', async (key) => {
    const { context } = await refusal(memoryStore, JSON.parse(`{"key":"k","value":1,"${key}":{"namespace":"n"}}`));
    expect(context?.errors).toMatchObject([{ path: key, code: 'unrecognized_keys' }]);
  });

  test('a required field is missing even if every object inherits one of that name', async () => {
    const input = z.strictObject({ constructor: z.string() });
    expect((await refusal({ input }, {})).code).toBe('MISSING_REQUIRED_FIELD');
  });

  test('of many errors it tells twenty, and no path is long', async () => {
    const keys = Array.from({ length: 9_000 }, (_, index) => [`${index}`.padStart(5_000, 'k'), 1]);
    const { context } = await refusal(memoryStore, { key: 'k', value: 1, ...Object.fromEntries(keys) });
    const errors = context?.errors as { path: string }[];
    expect(errors).toHaveLength(20);
    expect(Math.max(...errors.map(({ path }) => path.length))).toBe(200);
  });
});
