export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result?: any;
  readonly error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** What a tool answers with. */
export interface Envelope {
  readonly success: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data?: any;
  readonly error?: {
    code: string;
    message: string;
    retryable: boolean;
    retryAfterMs?: number;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    context?: any;
  };
  readonly metadata: { durationMs: number; cached?: boolean; truncated?: boolean; artifact?: string };
}
