import { describe, expect, test } from 'vitest';
import { MCPRequestLimitsSchema, ValidationResultSchema } from './schema.js';

const ARRAYS = {
  bugfix_scan: 100,
  refactor_scan: 100,
  memory_bulk_delete: 1_000,
  ability_inject: 20,
  guard_check: 10_000,
  memory_store: 10_000,
  config_set: 10_000,
  workflow_run: 10_000,
  agent_run: 10_000,
};

describe('the limits of requests', () => {
  test('are those of the founding document', () => {
    expect(MCPRequestLimitsSchema.parse({})).toEqual({
      maxArraySize: 100,
      maxStringLength: 100_000,
      maxObjectDepth: 10,
      maxRequestBytes: 10_485_760,
      toolArrayLimits: ARRAYS,
    });
  });

  test('INV-MCP-LIMIT-003: a limit that is configured for one tool leaves those of the others', () => {
    const { toolArrayLimits } = MCPRequestLimitsSchema.parse({ toolArrayLimits: { my_tool: 5, ability_inject: 30 } });
    expect(toolArrayLimits).toEqual({ ...ARRAYS, my_tool: 5, ability_inject: 30 });
  });

  test('stay the same when they are parsed again', () => {
    const once = MCPRequestLimitsSchema.parse({ toolArrayLimits: { my_tool: 5 } });
    expect(MCPRequestLimitsSchema.parse(once)).toEqual(once);
  });

  test.each([
    { maxArraySize: 0 },
    { maxStringLength: -1 },
    { maxObjectDepth: 1.5 },
    { maxObjectDepth: 1_001 },
    { maxRequestBytes: 1_023 },
    { toolArrayLimits: { my_tool: 0 } },
    { maxArraySizes: 5 },
  ])('cannot be %j', (part) => {
    expect(MCPRequestLimitsSchema.safeParse(part).success).toBe(false);
  });
});

test('INV-MCP-LIMIT-004: an error has a path, a code and a message, and may have limit and actual value', () => {
  const error = { path: 'a.b[3]', code: 'array_too_large', message: 'm', limit: 1, actual: 2 };
  const accepts = (value: unknown) => ValidationResultSchema.safeParse(value).success;
  expect(accepts({ valid: true })).toBe(true);
  expect(accepts({ valid: false, errors: [error] })).toBe(true);
  expect(accepts({ valid: false, errors: [{ path: '', code: 'c', message: 'm' }] })).toBe(true);
  expect(accepts({ valid: false })).toBe(false);
  for (const part of [{ path: undefined }, { code: undefined }, { message: undefined }, { limit: '1' }]) {
    expect(accepts({ valid: false, errors: [{ ...error, ...part }] })).toBe(false);
  }
});
