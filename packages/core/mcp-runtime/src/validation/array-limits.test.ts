import { MCPRequestLimitsSchema } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import { arrayLimitFor } from './array-limits.js';

const limits = (part: object = {}) => MCPRequestLimitsSchema.parse(part);

test.each([
  ['memory_list', 100],
  ['bugfix_scan', 100],
  ['refactor_scan', 100],
  ['ability_inject', 20],
  ['memory_bulk_delete', 1_000],
  ['guard_check', 10_000],
  ['memory_store', 10_000],
  ['config_set', 10_000],
  ['workflow_run', 10_000],
  ['agent_run', 10_000],
])('INV-MCP-LIMIT-003: arrays for %s have at most %i items', (tool, limit) => {
  expect(arrayLimitFor(tool, limits())).toBe(limit);
});

test('INV-MCP-LIMIT-003: a configured limit of a tool goes before the general one and before the usual one', () => {
  const configured = limits({ maxArraySize: 50, toolArrayLimits: { memory_list: 7, ability_inject: 30 } });
  expect(arrayLimitFor('memory_list', configured)).toBe(7);
  expect(arrayLimitFor('ability_inject', configured)).toBe(30);
  expect(arrayLimitFor('memory_bulk_delete', configured)).toBe(1_000);
  expect(arrayLimitFor('session_list', configured)).toBe(50);
});

test.each(['constructor', 'toString', '__proto__'])('a tool named %s has the general limit', (name) => {
  expect(arrayLimitFor(name, limits())).toBe(100);
});
