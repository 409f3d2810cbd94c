import { describe, expect, test } from 'vitest';
import { MCPTimeoutConfigSchema, TimeoutResultSchema, ToolCategorySchema } from './schema.js';

test('there are four categories', () => {
  expect(ToolCategorySchema.options).toEqual(['query', 'mutation', 'scan', 'execution']);
});

describe('the timeouts', () => {
  test('are those of the founding document', () => {
    expect(MCPTimeoutConfigSchema.parse({})).toEqual({
      defaultTimeoutMs: 30_000,
      toolTimeouts: { query: 10_000, mutation: 30_000, scan: 120_000, execution: 1_200_000 },
      toolOverrides: {},
    });
  });

  test('keep the others where one is configured', () => {
    const { toolTimeouts } = MCPTimeoutConfigSchema.parse({ toolTimeouts: { scan: 5 } });
    expect(toolTimeouts).toEqual({ query: 10_000, mutation: 30_000, scan: 5, execution: 1_200_000 });
  });

  test('may be set for a tool of any name', () => {
    const { toolOverrides } = MCPTimeoutConfigSchema.parse({ toolOverrides: { agent_run: 5, constructor: 6 } });
    expect(toolOverrides).toEqual({ agent_run: 5, constructor: 6 });
  });

  test.each([
    { toolTimeouts: { query: 0 } },
    { toolTimeouts: { query: 1.5 } },
    // A timer of more than 24.8 days would fire at once.
    { toolTimeouts: { query: 86_400_001 } },
    { toolTimeouts: { quick: 5 } },
    { toolOverrides: { agent_run: -1 } },
    { defaultTimeout: 5 },
  ])('cannot be %j', (part) => {
    expect(MCPTimeoutConfigSchema.safeParse(part).success).toBe(false);
  });
});

test.each([
  [true, { status: 'completed', result: 1, durationMs: 5 }],
  [false, { status: 'completed', result: 1 }],
  [true, { status: 'timeout', timeoutMs: 5, partialResult: 1 }],
  [false, { status: 'timeout' }],
  [true, { status: 'error', error: { code: 'c', message: 'm' }, durationMs: 5 }],
  [false, { status: 'error', error: { code: 'c', message: 'm' } }],
])('INV-MCP-TIMEOUT-005: it is %s that a result may be %j', (isResult, value) => {
  expect(TimeoutResultSchema.safeParse(value).success).toBe(isResult);
});
