import { describe, expect, test } from 'vitest';
import { ERROR_CODES, isRetryable, LAYER_CODES, TOOL_CODES, ToolError } from './errors.js';

test('INV-MCP-RESP-002: the codes are the fourteen of the founding document and PERMISSION_DENIED', () => {
  expect(Object.keys(ERROR_CODES)).toEqual([
    'INVALID_INPUT',
    'MISSING_REQUIRED_FIELD',
    'INVALID_FORMAT',
    'ARRAY_TOO_LARGE',
    'NOT_FOUND',
    'ALREADY_EXISTS',
    'CONFLICT',
    'OPERATION_FAILED',
    'TOOL_TIMEOUT',
    'RATE_LIMITED',
    'MEMORY_PRESSURE',
    'INTERNAL_ERROR',
    'NOT_IMPLEMENTED',
    'SERVICE_UNAVAILABLE',
    'PERMISSION_DENIED',
  ]);
});

test('INV-MCP-003: every finer code travels under a code of the envelope', () => {
  expect(TOOL_CODES).toMatchObject({
    VALUE_TOO_LARGE: 'INVALID_INPUT',
    VERSION_CONFLICT: 'CONFLICT',
    DELETE_FAILED: 'OPERATION_FAILED',
    SESSION_NOT_FOUND: 'NOT_FOUND',
    SESSION_ALREADY_COMPLETED: 'CONFLICT',
    SESSION_INVALID_TRANSITION: 'CONFLICT',
    SESSION_MAX_PARTICIPANTS: 'CONFLICT',
    SESSION_NOT_PARTICIPANT: 'CONFLICT',
    SESSION_INITIATOR_CANNOT_LEAVE: 'CONFLICT',
    TRACE_NOT_FOUND: 'NOT_FOUND',
    CONFIG_KEY_NOT_FOUND: 'NOT_FOUND',
    CONFIG_INVALID_VALUE: 'INVALID_INPUT',
    CONFIG_PROTECTED: 'PERMISSION_DENIED',
  });
  expect(LAYER_CODES).toEqual({
    INVALID_CURSOR: 'INVALID_FORMAT',
    IDEMPOTENCY_MISMATCH: 'CONFLICT',
    CANCELLED: 'OPERATION_FAILED',
    INTERRUPTED: 'OPERATION_FAILED',
    STORAGE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
    SERVER_STOPPING: 'SERVICE_UNAVAILABLE',
  });
  for (const code of Object.values({ ...TOOL_CODES, ...LAYER_CODES })) expect(ERROR_CODES).toHaveProperty(code);
});

test('a code is either fine or of the envelope, and a fine one belongs to tools or to layers', () => {
  const names = [...Object.keys(ERROR_CODES), ...Object.keys(TOOL_CODES), ...Object.keys(LAYER_CODES)];
  expect(new Set(names).size).toBe(names.length);
});

describe('a ToolError', () => {
  test('has its code, message, context and cause', () => {
    const cause = new Error('inner');
    const error = new ToolError('NOT_FOUND', 'No note 7', { context: { id: 7 }, retryAfterMs: 5, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'ToolError', code: 'NOT_FOUND', message: 'No note 7', retryAfterMs: 5, cause });
    expect(error.context).toEqual({ id: 7 });
    expect(error.toolCode).toBeUndefined();
  });

  test.each([
    ['VERSION_CONFLICT', 'CONFLICT'],
    ['CONFIG_PROTECTED', 'PERMISSION_DENIED'],
    ['CANCELLED', 'OPERATION_FAILED'],
  ] as const)('INV-MCP-003: with the finer code %s has the code %s beside it', (toolCode, code) => {
    expect(new ToolError(toolCode, 'm')).toMatchObject({ code, toolCode });
  });

  test('of a ToolError is itself', () => {
    const error = new ToolError('NOT_FOUND', 'm');
    expect(ToolError.from(error)).toBe(error);
  });

  test.each([new Error('/home/ada/.secret'), '/home/ada/.secret', null, undefined, { code: 'NOT_FOUND' }])(
    'of %o is an INTERNAL_ERROR that keeps it as the cause and tells nothing of it',
    (bug) => {
      const error = ToolError.from(bug);
      expect(error).toMatchObject({ code: 'INTERNAL_ERROR', toolCode: undefined, context: undefined });
      expect(error.cause).toBe(bug);
      expect(error.message).not.toMatch(/secret/);
    },
  );
});

test.each([
  ['RATE_LIMITED', true, true],
  ['MEMORY_PRESSURE', true, true],
  ['SERVICE_UNAVAILABLE', true, true],
  ['TOOL_TIMEOUT', false, true],
  ['INTERNAL_ERROR', false, true],
  ['INVALID_INPUT', false, false],
  ['MISSING_REQUIRED_FIELD', false, false],
  ['INVALID_FORMAT', false, false],
  ['ARRAY_TOO_LARGE', false, false],
  ['NOT_FOUND', false, false],
  ['ALREADY_EXISTS', false, false],
  ['CONFLICT', false, false],
  ['OPERATION_FAILED', false, false],
  ['NOT_IMPLEMENTED', false, false],
  ['PERMISSION_DENIED', false, false],
] as const)('INV-MCP-RESP-006: %s is retryable: %s, and %s where repeating is safe', (code, plain, whereSafe) => {
  expect(isRetryable(code, false)).toBe(plain);
  expect(isRetryable(code, true)).toBe(whereSafe);
});
