import { MCPRequestLimitsSchema, memoryBulkDelete, memoryStore } from '@automatosx/contracts';
import { describe, expect, test, vi } from 'vitest';
import { relay } from '../relay.js';
import { callOf, deepFreeze, failureOf, toolOf } from '../testing.js';
import type { Tool } from '../types.js';
import { checkRequest, limits } from './request-validator.js';

const LIMITS = MCPRequestLimitsSchema.parse({});

const errorsOf = (input: unknown, tool: Tool = toolOf()) => {
  const result = checkRequest({ tool, input }, LIMITS);
  return result.valid ? [] : result.errors;
};

const isAllowed = (input: unknown, tool?: Tool) => errorsOf(input, tool).length === 0;

/** The arguments as level 1, and objects and arrays by turns down to the given level. */
const nested = (levels: number): unknown => {
  let value: unknown = 'leaf';
  for (let level = levels; level > 1; level--) value = level % 2 === 0 ? { k: value } : [value];
  return { k: value };
};

const items = (count: number) => Array.from({ length: count }, () => 0);

describe('depth', () => {
  test('ten levels are allowed, the arguments among them', () => {
    expect(isAllowed(nested(10))).toBe(true);
  });

  test('INV-MCP-LIMIT-004: the eleventh is refused, with its path, the limit and the actual level', () => {
    expect(errorsOf(nested(11))).toEqual([
      {
        path: 'k.k[0].k[0].k[0].k[0].k',
        code: 'too_deep',
        message: 'k.k[0].k[0].k[0].k[0].k has 11 levels; at most 10 are allowed',
        limit: 10,
        actual: 11,
      },
    ]);
  });

  test('a hundred thousand levels are refused like eleven', () => {
    expect(errorsOf(nested(100_000))).toMatchObject([{ code: 'too_deep', limit: 10, actual: 11 }]);
  });

  test('the most that can be configured is walked without a stack overflow', () => {
    const deep = MCPRequestLimitsSchema.parse({ maxObjectDepth: 1000 });
    expect(checkRequest({ tool: toolOf(), input: nested(1000) }, deep)).toEqual({ valid: true });
    expect(checkRequest({ tool: toolOf(), input: nested(1001) }, deep)).toMatchObject({ valid: false });
    expect(MCPRequestLimitsSchema.safeParse({ maxObjectDepth: 1001 }).success).toBe(false);
  });
});

describe('arrays', () => {
  test('a hundred items are allowed', () => {
    expect(isAllowed({ list: items(100) })).toBe(true);
  });

  test('INV-MCP-LIMIT-001: one more is refused, wherever the array is', () => {
    expect(errorsOf({ a: { b: [1, 2, 3, { c: items(101) }] } })).toEqual([
      {
        path: 'a.b[3].c',
        code: 'array_too_large',
        message: 'a.b[3].c has 101 items; at most 100 are allowed',
        limit: 100,
        actual: 101,
      },
    ]);
  });

  test.each([
    ['memory_bulk_delete', 1_000],
    ['memory_store', 10_000],
    ['ability_inject', 20],
  ])('INV-MCP-LIMIT-003: for %s the limit is %i', (name, limit) => {
    const tool = toolOf({ name });
    expect(isAllowed({ list: items(limit) }, tool)).toBe(true);
    expect(errorsOf({ list: items(limit + 1) }, tool)).toMatchObject([{ limit, actual: limit + 1 }]);
  });

  test('the items of an array that is too large are not looked at', () => {
    expect(errorsOf({ list: Array.from({ length: 101 }, () => '\ud800') })).toHaveLength(1);
  });
});

describe('texts', () => {
  test('a hundred thousand characters are allowed, in values and in keys', () => {
    expect(isAllowed({ text: 'x'.repeat(100_000), ['k'.repeat(100_000)]: 1 })).toBe(true);
  });

  test('INV-MCP-LIMIT-004: one more is refused, with path, limit and actual length', () => {
    const [error] = errorsOf({ texts: ['x'.repeat(100_001)] });
    expect(error).toMatchObject({ path: 'texts[0]', code: 'string_too_long', limit: 100_000, actual: 100_001 });
  });

  test('a key that is too long is refused, and its path is cut', () => {
    const [error] = errorsOf({ ['k'.repeat(100_001)]: 1 });
    expect(error).toMatchObject({ path: 'k'.repeat(200), code: 'string_too_long', actual: 100_001 });
    expect(error?.message.length).toBeLessThan(300);
  });

  test('the value of memory_store has a rule of its own instead, its key has not', () => {
    const tool = toolOf(memoryStore);
    const long = 'x'.repeat(100_001);
    expect(isAllowed({ key: 'k', value: { texts: [long], [long]: 1 } }, tool)).toBe(true);
    expect(errorsOf({ key: long, value: 1 }, tool)).toMatchObject([{ path: 'key' }]);
    expect(errorsOf({ key: { value: long }, value: 1 }, tool)).toMatchObject([{ path: 'key.value' }]);
  });

  test.each([
    ['high', '\ud83d'],
    ['low', '\ude00'],
    ['swapped', '\ude00\ud83d'],
  ])('a lone %s surrogate is refused in a value', (_which, half) => {
    expect(errorsOf({ a: [`x${half}`] })).toEqual([
      { path: 'a[0]', code: 'invalid_unicode', message: 'a[0] holds half a character' },
    ]);
  });

  test('a lone surrogate is refused in a key, and the path can be read by everybody', () => {
    expect(errorsOf({ a: { 'x\ud800': 1 } })).toMatchObject([{ path: 'a.x\ufffd', code: 'invalid_unicode' }]);
  });

  test('a lone surrogate is refused in the free value of memory_store too', () => {
    expect(errorsOf({ key: 'k', value: { '\ud800': '\ud800' } }, toolOf(memoryStore))).toHaveLength(2);
  });

  test('whole characters of any kind are allowed', () => {
    expect(isAllowed({ '😀': '👩‍👩‍👧‍👦\u0000\uffff' })).toBe(true);
  });

  test('a path is cut between characters', () => {
    const [error] = errorsOf({ [`${'k'.repeat(199)}😀`]: '\ud800' });
    expect(error?.path).toBe('k'.repeat(199));
  });
});

describe('numbers and keys', () => {
  test('a number that is too large for JavaScript is refused', () => {
    expect(errorsOf(JSON.parse('{"a":[1e999,-1e999],"b":1e308}'))).toEqual([
      { path: 'a[0]', code: 'not_finite', message: 'a[0] is too large a number' },
      { path: 'a[1]', code: 'not_finite', message: 'a[1] is too large a number' },
    ]);
  });

  test('a million keys are refused at once', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`k${index}`, '\ud800']));
    const started = performance.now();
    expect(errorsOf({ many })).toEqual([
      {
        path: 'many',
        code: 'too_many_keys',
        message: 'many has 1000000 keys; at most 10000 are allowed',
        limit: 10_000,
        actual: 1_000_000,
      },
    ]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test.each(['{"__proto__":{"list":5}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":{"__proto__":null}}'])(
    '%s is data like any other',
    (json) => {
      const input = JSON.parse(json);
      expect(isAllowed(input)).toBe(true);
      expect(JSON.stringify(input)).toBe(json);
      expect(({} as { list?: unknown; x?: unknown }).list ?? ({} as { x?: unknown }).x).toBeUndefined();
    },
  );

  test('what is under __proto__ is looked at too', () => {
    const input = JSON.parse(`{"__proto__":{"list":${JSON.stringify(items(101))}}}`);
    expect(errorsOf(input)).toMatchObject([{ path: '__proto__.list', code: 'array_too_large' }]);
  });

  test.each([null, true, 'text', 5, undefined])('arguments that are %j have nothing to refuse', (input) => {
    expect(isAllowed(input)).toBe(true);
  });
});

describe('what goes to a relayed tool', () => {
  const theirs = relay({ name: 'memory_bulk_delete', inputSchema: { type: 'object' } }, async () => ({}));

  test('may have 64 levels, and no more', () => {
    expect(isAllowed(nested(64), theirs)).toBe(true);
    expect(errorsOf(nested(65), theirs)).toMatchObject([{ code: 'too_deep', limit: 64, actual: 65 }]);
  });

  test('may have arrays of 10,000 items, whatever it is called, and no more', () => {
    expect(isAllowed({ list: items(10_000) }, theirs)).toBe(true);
    expect(errorsOf({ list: items(10_001) }, theirs)).toMatchObject([
      { code: 'array_too_large', limit: 10_000, actual: 10_001 },
    ]);
  });

  test('may have texts and keys of any length', () => {
    const long = 'x'.repeat(1_000_000);
    expect(isAllowed({ text: long, [long]: [long] }, theirs)).toBe(true);
  });

  test('is not bounded by what is configured for our own', () => {
    const strict = MCPRequestLimitsSchema.parse({ maxObjectDepth: 5, maxArraySize: 10, maxStringLength: 1000 });
    const input = { list: items(100), text: 'x'.repeat(2000), inner: nested(6) };
    expect(checkRequest({ tool: theirs, input }, strict)).toEqual({ valid: true });
  });

  test('is JSON in whole characters all the same', () => {
    expect(errorsOf({ a: '\ud800', b: Infinity }, theirs)).toMatchObject([
      { code: 'invalid_unicode' },
      { code: 'not_finite' },
    ]);
  });
});

describe('the layer', () => {
  const layer = limits(() => LIMITS);

  test('passes on the same call where nothing is wrong', async () => {
    const call = callOf({ input: deepFreeze({ a: [{ b: 'c' }] }) });
    expect(await layer(call, async (passed) => passed === call)).toBe(true);
  });

  test('INV-MCP-LIMIT-002: a refused request never reaches the handler', async () => {
    const handler = vi.fn(async () => 'done');
    for (const input of [nested(11), { a: items(101) }, { a: 'x'.repeat(100_001) }, { a: Infinity }, { a: '\udc00' }]) {
      await failureOf(() => layer(callOf({ input }), handler));
    }
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([
    ['ARRAY_TOO_LARGE', { a: items(101), b: items(102) }],
    ['INVALID_FORMAT', { a: '\ud800' }],
    ['INVALID_FORMAT', { a: Infinity, b: '\ud800' }],
    ['INVALID_INPUT', { a: 'x'.repeat(100_001) }],
    ['INVALID_INPUT', nested(11)],
    ['INVALID_INPUT', { a: items(101), b: '\ud800' }],
  ])('INV-MCP-RESP-002: the code is %s', async (code, input) => {
    expect(await failureOf(() => layer(callOf({ input }), async () => 0))).toMatchObject({ code, toolCode: undefined });
  });

  test('INV-MCP-LIMIT-004: the message tells the first error, the context all of them', async () => {
    const input = { keys: items(1_001), prefix: '\ud800' };
    const error = await failureOf(() => layer(callOf({ tool: toolOf(memoryBulkDelete), input }), async () => 0));
    expect(error.message).toBe('memory_bulk_delete was refused: keys has 1001 items; at most 1000 are allowed');
    expect(error.context).toEqual({ errors: errorsOf(input, toolOf(memoryBulkDelete)) });
  });

  test.each([
    ['values', { a: Array.from({ length: 100 }, () => '\ud800') }],
    ['keys', Object.fromEntries(Array.from({ length: 9_999 }, (_, index) => [`${index}\ud800`, 1]))],
  ])('of many bad %s it tells twenty', async (_what, input) => {
    expect(errorsOf(input)).toHaveLength(20);
  });

  test('limits that were changed hold from the next call on', async () => {
    let maxArraySize = 100;
    const changing = limits(() => ({ ...LIMITS, maxArraySize }));
    const call = callOf({ input: { a: items(50) } });
    expect(await changing(call, async () => 'done')).toBe('done');
    maxArraySize = 49;
    expect((await failureOf(() => changing(call, async () => 'done'))).code).toBe('ARRAY_TOO_LARGE');
  });
});
