import { MCPResponseEnvelopeSchema, ToolError } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { callOf, toolOf } from '../testing.js';
import { brief, durationOf, failure, success, toAnswer } from './helpers.js';

const schema = MCPResponseEnvelopeSchema(z.unknown());

const failureWith = (error: ToolError, call = callOf()) => failure(call, error).error;

test('INV-MCP-RESP-005: a duration is a whole number of milliseconds, and none is negative', () => {
  expect(durationOf({ ...callOf(), startedAt: performance.now() })).toBeGreaterThanOrEqual(0);
  const duration = durationOf({ ...callOf(), startedAt: performance.now() - 1234.567 });
  expect(Number.isInteger(duration)).toBe(true);
  expect(duration).toBeGreaterThanOrEqual(1235);
});

test("the text is the envelope's JSON", () => {
  const envelope = success(callOf(), { a: 1 });
  expect(toAnswer(envelope)).toEqual({ envelope, text: JSON.stringify(envelope) });
});

describe('a success', () => {
  test('INV-MCP-RESP-001: is the envelope of the contract', () => {
    const envelope = success(callOf(), { a: 1 });
    expect(schema.parse(envelope)).toEqual(envelope);
    expect(envelope).toEqual({
      success: true,
      data: { a: 1 },
      metadata: { durationMs: expect.any(Number), cached: false, truncated: false },
    });
  });

  test('says that it came from the cache', () => {
    const call = callOf();
    call.facts.cached = true;
    expect(success(call, 1).metadata).toMatchObject({ cached: true });
  });
});

describe('a failure', () => {
  test('INV-MCP-RESP-001: is the envelope of the contract', () => {
    const envelope = failure(callOf(), new ToolError('NOT_FOUND', 'No note 7', { context: { id: 7 } }));
    expect(schema.parse(envelope)).toEqual(envelope);
    expect(envelope).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: 'No note 7', retryable: false, context: { id: 7 } },
      metadata: { durationMs: expect.any(Number) },
    });
  });

  test('INV-MCP-003: a finer code travels in the context, under the code of the envelope', () => {
    const error = new ToolError('VERSION_CONFLICT', 'It moved', { context: { version: 2, toolCode: 'OTHER' } });
    expect(failureWith(error)).toMatchObject({
      code: 'CONFLICT',
      context: { version: 2, toolCode: 'VERSION_CONFLICT' },
    });
  });

  test.each([
    ['RATE_LIMITED', true, true, true],
    ['MEMORY_PRESSURE', true, true, true],
    ['SERVICE_UNAVAILABLE', true, true, true],
    ['TOOL_TIMEOUT', false, true, true],
    ['INTERNAL_ERROR', false, true, true],
    ['INVALID_INPUT', false, false, false],
    ['MISSING_REQUIRED_FIELD', false, false, false],
    ['INVALID_FORMAT', false, false, false],
    ['ARRAY_TOO_LARGE', false, false, false],
    ['NOT_FOUND', false, false, false],
    ['ALREADY_EXISTS', false, false, false],
    ['CONFLICT', false, false, false],
    ['OPERATION_FAILED', false, false, false],
    ['NOT_IMPLEMENTED', false, false, false],
    ['PERMISSION_DENIED', false, false, false],
  ] as const)(
    'INV-MCP-RESP-006: %s is retryable %s, of an idempotent tool %s, with a key %s',
    (code, plain, idempotent, withKey) => {
      const retryable = (call: ReturnType<typeof callOf>) => failureWith(new ToolError(code, 'm'), call).retryable;
      expect(retryable(callOf())).toBe(plain);
      expect(retryable(callOf({ tool: toolOf({ idempotent: true }) }))).toBe(idempotent);
      expect(retryable(callOf({ tool: toolOf({ effect: 'read' }) }))).toBe(idempotent);
      expect(retryable(callOf({ idempotencyKey: 'k' }))).toBe(withKey);
    },
  );

  test('INV-MCP-RESP-006: says when to come again only where that helps', () => {
    const options = { retryAfterMs: 12.3 };
    expect(failureWith(new ToolError('RATE_LIMITED', 'm', options)).retryAfterMs).toBe(13);
    expect(failureWith(new ToolError('RATE_LIMITED', 'm', { retryAfterMs: 0 })).retryAfterMs).toBe(1);
    expect(failureWith(new ToolError('RATE_LIMITED', 'm'))).not.toHaveProperty('retryAfterMs');
    expect(failureWith(new ToolError('PERMISSION_DENIED', 'm', options))).not.toHaveProperty('retryAfterMs');
    expect(failureWith(new ToolError('TOOL_TIMEOUT', 'm', options))).not.toHaveProperty('retryAfterMs');
  });

  test('has a message of at most a thousand characters, and no half of one', () => {
    expect(failureWith(new ToolError('NOT_FOUND', 'x'.repeat(1_000))).message).toHaveLength(1_000);
    expect(failureWith(new ToolError('NOT_FOUND', 'x'.repeat(1_001))).message).toBe('x'.repeat(1_000));
    expect(failureWith(new ToolError('NOT_FOUND', `${'x'.repeat(999)}😀`)).message).toBe('x'.repeat(999));
  });

  test('always has a message', () => {
    expect(failureWith(new ToolError('NOT_FOUND', '')).message).toBe('NOT_FOUND');
  });

  test('has no context where there is nothing to say', () => {
    expect(failureWith(new ToolError('NOT_FOUND', 'm'))).not.toHaveProperty('context');
  });

  test('drops a context that is huge or has no JSON, and keeps the finer code', () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    for (const context of [{ data: 'x'.repeat(16_384) }, endless, { big: 1n }]) {
      expect(failureWith(new ToolError('VERSION_CONFLICT', 'm', { context })).context).toEqual({
        toolCode: 'VERSION_CONFLICT',
      });
      expect(failureWith(new ToolError('CONFLICT', 'm', { context }))).not.toHaveProperty('context');
    }
    const context = { data: 'x'.repeat(16_000) };
    expect(failureWith(new ToolError('CONFLICT', 'm', { context })).context).toEqual(context);
  });

  test('has its secrets taken out of message and context, before the message is cut', () => {
    const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '***'));
    const error = new ToolError('CONFLICT', `${'x'.repeat(996)}hunter2`, { context: { password: 'hunter2' } });
    const { message, context } = failure(callOf(), error, redact).error;
    expect(message).toBe(`${'x'.repeat(996)}***`);
    expect(context).toEqual({ password: '***' });
  });
});

test('a brief failure keeps its codes and advice, and the beginning of its message', () => {
  const error = new ToolError('STORAGE_UNAVAILABLE', 'x'.repeat(500), {
    context: { data: 'x'.repeat(9_000) },
    retryAfterMs: 5,
  });
  const whole = failure(callOf(), error);
  expect(brief(whole)).toEqual({
    success: false,
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: 'x'.repeat(100),
      retryable: true,
      retryAfterMs: 5,
      context: { toolCode: 'STORAGE_UNAVAILABLE' },
    },
    metadata: whole.metadata,
  });
  expect(brief(failure(callOf(), new ToolError('CONFLICT', 'm'))).error).not.toHaveProperty('context');
});
