import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  MCPErrorCodeSchema,
  MCPListResponseSchema,
  MCPResponseEnvelopeSchema,
  MCPResponseLimitsSchema,
  MCPStructuredErrorSchema,
} from './schema.js';

const envelope = MCPResponseEnvelopeSchema(z.object({ a: z.int() }));
const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('an envelope', () => {
  test('INV-MCP-RESP-001: of a success has data, and metadata with defaults', () => {
    expect(envelope.parse({ success: true, data: { a: 1 }, metadata: { durationMs: 3 } })).toEqual({
      success: true,
      data: { a: 1 },
      metadata: { durationMs: 3, cached: false, truncated: false },
    });
    expect(accepts(envelope, { success: true, data: { a: 1 } })).toBe(true);
  });

  test('INV-MCP-RESP-001: of a failure has an error', () => {
    const failure = { success: false, error: { code: 'NOT_FOUND', message: 'm', retryable: false } };
    expect(envelope.parse(failure)).toEqual(failure);
  });

  test.each([
    {},
    { success: true },
    { success: true, data: { a: 'x' } },
    { success: false },
    { success: false, error: {} },
    { success: 'yes', data: { a: 1 } },
    { success: true, data: { a: 1 }, metadata: { durationMs: -1 } },
    { success: true, data: { a: 1 }, metadata: { durationMs: 1.5 } },
  ])('INV-MCP-RESP-001: is not %j', (value) => {
    expect(accepts(envelope, value)).toBe(false);
  });
});

describe('an error', () => {
  const error = (part: object) => ({ code: 'NOT_FOUND', message: 'm', ...part });

  test('INV-MCP-RESP-002: has a code that is known', () => {
    expect(accepts(MCPErrorCodeSchema, 'TOOL_TIMEOUT')).toBe(true);
    for (const code of ['SESSION_NOT_FOUND', 'constructor', '', undefined]) {
      expect(accepts(MCPStructuredErrorSchema, error({ code }))).toBe(false);
    }
  });

  test('is not retryable unless it says so', () => {
    expect(MCPStructuredErrorSchema.parse(error({}))).toEqual({ code: 'NOT_FOUND', message: 'm', retryable: false });
  });

  test.each([{ message: '' }, { message: 'x'.repeat(1_001) }, { retryAfterMs: 0 }, { retryAfterMs: 1.5 }])(
    'is not one with %j',
    (part) => {
      expect(accepts(MCPStructuredErrorSchema, error(part))).toBe(false);
    },
  );
});

test('a list says how much there is and which part of it this is', () => {
  const page = { items: [1], total: 3, limit: 1, offset: 0, hasMore: true };
  const schema = MCPListResponseSchema(z.int());
  expect(schema.parse(page)).toEqual(page);
  for (const part of [{ total: -1 }, { limit: 0 }, { offset: -1 }, { hasMore: undefined }, { items: ['x'] }]) {
    expect(accepts(schema, { ...page, ...part })).toBe(false);
  }
});

describe('the limits of answers', () => {
  test('are those of the founding document', () => {
    expect(MCPResponseLimitsSchema.parse({})).toEqual({
      maxResponseBytes: 1_048_576,
      maxListItems: 100,
      maxStringLength: 10_000,
      truncationSuffix: '... [truncated]',
    });
  });

  test.each([
    { maxResponseBytes: 1_023 },
    { maxListItems: 0 },
    { maxStringLength: 1.5 },
    { truncationSuffix: 'x'.repeat(101) },
    { maxListItem: 5 },
  ])('cannot be %j', (part) => {
    expect(accepts(MCPResponseLimitsSchema, part)).toBe(false);
  });
});
