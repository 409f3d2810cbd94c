/** Every code an answer can carry, and whether sending the same call again is safe. */
export const ERROR_CODES = {
  INVALID_INPUT: { retryable: false },
  MISSING_REQUIRED_FIELD: { retryable: false },
  INVALID_FORMAT: { retryable: false },
  ARRAY_TOO_LARGE: { retryable: false },
  NOT_FOUND: { retryable: false },
  ALREADY_EXISTS: { retryable: false },
  CONFLICT: { retryable: false },
  OPERATION_FAILED: { retryable: false },
  TOOL_TIMEOUT: { retryable: 'if-idempotent' },
  RATE_LIMITED: { retryable: true },
  MEMORY_PRESSURE: { retryable: true },
  INTERNAL_ERROR: { retryable: 'if-idempotent' },
  NOT_IMPLEMENTED: { retryable: false },
  SERVICE_UNAVAILABLE: { retryable: true },
  PERMISSION_DENIED: { retryable: false },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Finer codes, and the code of the envelope that each of them travels under. */
export const TOOL_CODES = {
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
} as const satisfies Record<string, ErrorCode>;

/** Codes that any tool may answer with, because a layer raises them and not the tool. */
export const LAYER_CODES = {
  INVALID_CURSOR: 'INVALID_FORMAT',
  IDEMPOTENCY_MISMATCH: 'CONFLICT',
  CANCELLED: 'OPERATION_FAILED',
  INTERRUPTED: 'OPERATION_FAILED',
  STORAGE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  SERVER_STOPPING: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<string, ErrorCode>;

export type ToolCode = keyof typeof TOOL_CODES;
export type LayerCode = keyof typeof LAYER_CODES;

const FINE_CODES: Readonly<Record<string, ErrorCode>> = { ...TOOL_CODES, ...LAYER_CODES };

export interface ToolErrorOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The one error that leaves a tool or a layer. `code` is the envelope's, `toolCode` the finer one. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly toolCode: ToolCode | LayerCode | undefined;
  readonly context: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode | ToolCode | LayerCode, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ToolError';
    this.code = FINE_CODES[code] ?? (code as ErrorCode);
    this.toolCode = code in FINE_CODES ? (code as ToolCode | LayerCode) : undefined;
    this.context = options.context;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Anything that is not a ToolError is a bug of ours: its text may hold anything, so it stays inside as the cause. */
  static from(error: unknown): ToolError {
    if (error instanceof ToolError) return error;
    return new ToolError('INTERNAL_ERROR', 'The server failed in a way it did not foresee; its log says more', {
      cause: error,
    });
  }
}

/** True if the same call may be sent again after this error (INV-MCP-RESP-006). */
export function isRetryable(code: ErrorCode, isSafeToRepeat: boolean): boolean {
  const advice = ERROR_CODES[code].retryable;
  return advice === 'if-idempotent' ? isSafeToRepeat : advice;
}
