import { describe, expect, test } from 'vitest';
import { ConfigSchema, PROTECTED_PATHS, TRUSTED_KEYS } from './schema.js';

describe('the configuration', () => {
  test('is whole without a file', () => {
    expect(ConfigSchema.parse({})).toMatchObject({
      server: { name: 'automatosx-mcp' },
      limits: {
        request: { maxArraySize: 100, maxStringLength: 100_000, maxObjectDepth: 10, maxRequestBytes: 10_485_760 },
        response: { maxResponseBytes: 1_048_576, maxListItems: 100, maxStringLength: 10_000 },
        pageSize: 100,
      },
      timeouts: { defaultTimeoutMs: 30_000, toolTimeouts: { execution: 1_200_000 } },
      cache: { maxSizeBytes: 104_857_600, maxEntries: 10_000, evictionPolicy: 'lru' },
      rateLimits: {},
      trace: { retentionDays: 30, maxBytes: 1_000_000_000, redact: [] },
      storage: { synchronous: 'normal' },
    });
  });

  test('keeps its defaults beside what a file says', () => {
    const { timeouts, limits } = ConfigSchema.parse({
      $schema: 'x',
      timeouts: { toolTimeouts: { scan: 5 } },
      limits: { request: { maxArraySize: 70 } },
    });
    expect(timeouts.toolTimeouts).toMatchObject({ query: 10_000, scan: 5 });
    expect(limits.request).toMatchObject({ maxArraySize: 70, maxObjectDepth: 10 });
  });

  test('takes a rate for each category', () => {
    const rate = { perSecond: 0.5, burst: 1 };
    const rateLimits = { query: rate, mutation: rate, scan: rate, execution: rate };
    expect(ConfigSchema.parse({ rateLimits }).rateLimits).toEqual(rateLimits);
  });

  test.each([
    { limit: {} },
    { limits: { pageSize: 0 } },
    { limits: { pageSize: 1_001 } },
    { rateLimits: { query: { perSecond: 0, burst: 1 } } },
    { rateLimits: { query: { perSecond: 1, burst: 0 } } },
    { rateLimits: { query: { perSecond: 1 } } },
    { rateLimits: { quick: { perSecond: 1, burst: 1 } } },
    { trace: { retentionDays: 0 } },
    { trace: { redact: [''] } },
    { storage: { synchronous: 'off' } },
  ])('cannot be %j', (file) => {
    expect(ConfigSchema.safeParse(file).success).toBe(false);
  });
});

const DANGEROUS = ['server', 'guard', 'mcpServers', 'code', 'models.providers'];

test('no tool call can change these', () => {
  expect([...PROTECTED_PATHS].sort()).toEqual([...DANGEROUS, 'trace.redact'].sort());
});

test('a project cannot loosen these by itself', () => {
  const bounds = ['trace', 'storage', 'rateLimits', 'cache', 'limits.request', 'limits.response'];
  expect([...TRUSTED_KEYS].sort()).toEqual([...DANGEROUS, ...bounds].sort());
});
