import { MCPTimeoutConfigSchema, TOOL_CONTRACTS } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import { toolOf } from '../testing.js';
import { timeoutFor } from './categories.js';

const config = (part: object = {}) => MCPTimeoutConfigSchema.parse(part);

test.each([
  ['query', 10_000],
  ['mutation', 30_000],
  ['scan', 120_000],
  ['execution', 1_200_000],
] as const)('INV-MCP-TIMEOUT-002: every %s has %i ms', (category, ms) => {
  const own = TOOL_CONTRACTS.filter((contract) => contract.category === category);
  for (const contract of [toolOf({ category }).contract, ...own]) expect(timeoutFor(contract, config())).toBe(ms);
});

test('INV-MCP-TIMEOUT-002: a changed category changes all of its tools and no others', () => {
  const changed = config({ toolTimeouts: { scan: 7 } });
  expect(timeoutFor(toolOf({ name: 'one_scan', category: 'scan' }).contract, changed)).toBe(7);
  expect(timeoutFor(toolOf({ name: 'two_scan', category: 'scan' }).contract, changed)).toBe(7);
  expect(timeoutFor(toolOf({ category: 'query' }).contract, changed)).toBe(10_000);
});

test("INV-MCP-TIMEOUT-003: a tool's own limit goes before that of its category, shorter or longer", () => {
  const overridden = config({ toolOverrides: { quick: 5, slow: 86_400_000 } });
  expect(timeoutFor(toolOf({ name: 'quick' }).contract, overridden)).toBe(5);
  expect(timeoutFor(toolOf({ name: 'slow' }).contract, overridden)).toBe(86_400_000);
  expect(timeoutFor(toolOf({ name: 'other' }).contract, overridden)).toBe(30_000);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  'a tool named %s has the limit of its category until one of its own is set',
  (name) => {
    const { contract } = toolOf({ name });
    expect(timeoutFor(contract, config())).toBe(30_000);
    const own = { ...config(), toolOverrides: Object.fromEntries([[name, 5]]) };
    expect(timeoutFor(contract, own)).toBe(5);
  },
);
