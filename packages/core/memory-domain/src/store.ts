import type { Listed, Page } from '@automatosx/contracts';

/** A stored value. Times are milliseconds since the epoch; `json` is the value's JSON text. */
export interface MemoryEntry {
  readonly namespace: string;
  readonly key: string;
  readonly json: string;
  readonly sizeBytes: number;
  readonly version: number;
  readonly storedAt: number;
  readonly expiresAt?: number | undefined;
}

export type MemoryHead = Omit<MemoryEntry, 'json'>;

/** What is to be stored. `words` is what full-text search finds it by. */
export interface NewEntry {
  readonly namespace: string;
  readonly key: string;
  readonly json: string;
  readonly sizeBytes: number;
  readonly words: string;
  readonly ttlMs?: number | undefined;
  /** Store only if the entry still has this version; 0 means that there must be none. */
  readonly expectedVersion?: number | undefined;
}

/** What the memory domain needs from storage, in its own words. */
export interface MemoryStore {
  /** Throws VERSION_CONFLICT if the entry moved on. */
  put(entry: NewEntry): Promise<MemoryHead>;
  get(namespace: string, key: string): Promise<MemoryEntry | undefined>;
  /** Oldest write first (INV-MCP-MEM-001), unless told otherwise. */
  list(query: {
    namespace?: string | undefined;
    prefix?: string | undefined;
    first?: 'oldest' | 'newest';
    page: Page;
  }): Promise<Listed<MemoryHead>>;
  /** The first namespaces, by name, that begin with the prefix; one whose last entry expired is there until it is swept. */
  namespaces(prefix: string, limit: number): Promise<readonly string[]>;
  /** Newest write first: keys that contain the text, values that hold its words. */
  search(query: {
    text: string;
    in: 'key' | 'value' | 'both';
    namespace?: string | undefined;
    page: Page;
  }): Promise<Listed<MemoryEntry>>;
  /** True if something was there to delete. */
  delete(namespace: string, key: string): Promise<boolean>;
  /**
   * Deletes these keys, or all that begin with the prefix; says which there were. Many are deleted some at a time, so
   * that others are served in between, and no further once the signal is aborted.
   */
  deleteMany(
    namespace: string,
    which: { keys: readonly string[] } | { prefix: string },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Removes some of what has expired. True if there may be more. */
  removeExpired(): Promise<boolean>;
}
