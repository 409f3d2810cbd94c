import type { MCPCacheStats } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import type { GuardContext } from '@automatosx/contracts/guard';
import { describe, expect, test } from 'vitest';
import { mcpRuntimePolicy } from './mcp-runtime-policy.js';

const { limits } = ConfigSchema.parse({});

const statsAt = (pressureLevel: MCPCacheStats['pressureLevel']): MCPCacheStats => ({
  entryCount: 1,
  currentSizeBytes: 1,
  maxSizeBytes: 1,
  hitCount: 0,
  missCount: 0,
  hitRate: 0,
  evictionCount: 0,
  pressureLevel,
});

/** What one gate says, asked alone. */
const ask = (id: string, context: Partial<GuardContext>) => {
  const gate = mcpRuntimePolicy.gates.find((candidate) => candidate.id === id);
  return gate?.check({ toolName: 'bugfix_scan', category: 'scan', ...context });
};

test('the policy and its gates have the names of the founding document', () => {
  expect(mcpRuntimePolicy.id).toBe('mcp-runtime-policy');
  expect(mcpRuntimePolicy.gates.map(({ id }) => id)).toEqual([
    'memory-pressure-check',
    'request-size-check',
    'array-size-check',
    'timeout-audit',
  ]);
});

test('a gate that knows nothing of the call passes', () => {
  for (const { check } of mcpRuntimePolicy.gates) {
    expect(check({ toolName: 'bugfix_scan', category: 'scan' })).toEqual({ passed: true });
  }
});

describe('memory-pressure-check', () => {
  const at = (level: MCPCacheStats['pressureLevel'], category: GuardContext['category']) =>
    ask('memory-pressure-check', { category, cacheStats: statsAt(level) });

  test.each(['scan', 'execution'] as const)('stops a %s while pressure is critical', (category) => {
    expect(at('critical', category)).toEqual({
      passed: false,
      code: 'MEMORY_PRESSURE',
      reason: 'Memory pressure is critical',
      recommendation: 'Wait until the cache has made room, or raise cache.maxSizeBytes',
    });
  });

  test.each(['query', 'mutation'] as const)('lets a %s through even then', (category) => {
    expect(at('critical', category)).toEqual({ passed: true });
  });

  test('warns while pressure is high', () => {
    expect(at('high', 'scan')).toEqual({ passed: true, warning: 'Memory pressure is high' });
  });

  test.each(['low', 'medium'] as const)('has nothing to say while it is %s', (level) => {
    expect(at(level, 'scan')).toEqual({ passed: true });
  });
});

describe('request-size-check', () => {
  const of = (requestSizeBytes: number) => ask('request-size-check', { requestSizeBytes, limits: limits.request });

  test.each([0, 1, 10_485_760])('lets %i bytes through', (bytes) => {
    expect(of(bytes)).toEqual({ passed: true });
  });

  test('refuses one byte more than 10 MiB', () => {
    expect(of(10_485_761)).toEqual({
      passed: false,
      code: 'INVALID_INPUT',
      reason: 'The request has 10485761 bytes; at most 10485760 are allowed',
      recommendation: 'Send less at a time',
    });
  });
});

describe('array-size-check', () => {
  const violation = (path: string) => ({ path, code: 'array_too_large', message: `${path} has 101 items` });

  test('passes where no array is too large', () => {
    expect(ask('array-size-check', { arraySizeViolations: [] })).toEqual({ passed: true });
  });

  test('names every array that is', () => {
    expect(ask('array-size-check', { arraySizeViolations: [violation('a'), violation('b[3].c')] })).toEqual({
      passed: false,
      code: 'ARRAY_TOO_LARGE',
      reason: 'a has 101 items; b[3].c has 101 items',
      recommendation: 'Send fewer items at a time',
    });
  });
});

describe('timeout-audit', () => {
  const after = (durationMs: number) => ask('timeout-audit', { durationMs, timeoutMs: 1_000 });

  test.each([0, 500, 800])('has nothing to say of %i ms of 1,000', (durationMs) => {
    expect(after(durationMs)).toEqual({ passed: true });
  });

  test.each([
    [801, '80.1%'],
    [1_000, '100.0%'],
    [2_500, '250.0%'],
  ])('notes %i ms of 1,000, which is %s, and lets it pass', (durationMs, ratio) => {
    expect(after(durationMs)).toEqual({
      passed: true,
      audit: { event: 'near_timeout', tool: 'bugfix_scan', durationMs, timeoutMs: 1_000, ratio },
    });
  });
});
