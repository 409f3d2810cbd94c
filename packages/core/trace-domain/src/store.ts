import type { Listed, Page } from '@automatosx/contracts';
import type { CallRecord, TraceStatus } from './call-record.js';

/** A call without its payloads and steps. */
export type TraceHead = Omit<CallRecord, 'input' | 'output' | 'steps' | 'errorMessage' | 'marks'> & {
  readonly eventCount: number;
  readonly replayed: boolean;
};

export interface TraceQuery {
  readonly principal: string;
  readonly status?: TraceStatus | undefined;
  readonly toolName?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly workspace?: string | undefined;
  readonly page: Page;
}

/** What the trace domain needs from storage, in its own words. */
export interface TraceStore {
  /** A new id; later calls get greater ones, whatever the clock does. */
  nextId(): string;
  /** Writes the start of a long call, so that a crash leaves it behind. Resolves when it is durable. */
  begin(record: CallRecord): Promise<void>;
  /**
   * Writes a finished call. Resolves when it, and all that the call stored in this turn, is durable; and after a moment
   * where another process keeps the store locked, since then the call has stored nothing in this turn.
   */
  record(record: CallRecord): Promise<void>;
  get(principal: string, traceId: string): Promise<CallRecord | undefined>;
  /** Newest first. */
  list(query: TraceQuery): Promise<Listed<TraceHead>>;
  /** The newest ids that begin with the prefix, newest first. */
  ids(query: {
    readonly principal: string;
    readonly prefix: string;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Ends the running calls of processes that are gone, as failures. Says how many there were. */
  endInterrupted(now: number): Promise<number>;
  /** Removes some of what is too old or too much, oldest first. True if there may be more to remove. */
  prune(retention: { readonly olderThan: number; readonly maxBytes: number }): Promise<boolean>;
}
