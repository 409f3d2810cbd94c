import type { CacheSetOptions, MCPCacheConfig, MCPCacheEntry } from '@automatosx/contracts';

export type Priority = NonNullable<CacheSetOptions['priority']>;
export type EvictionPolicy = MCPCacheConfig['evictionPolicy'];

export interface Usage {
  readonly count: number;
  readonly sizeBytes: number;
}

/** An entry is its own place in line, so that no step has to search for it. */
export interface StoredEntry extends MCPCacheEntry {
  readonly priority: Priority;
  /** Ordinal of the last use; milliseconds are too coarse to order by. */
  lastUse: number;
  /** Lower ranks go first; only `lfu` has more than one. */
  rank: number;
  ahead?: StoredEntry | undefined;
  behind?: StoredEntry | undefined;
}

/** Who goes next: low before normal before high priority, and within a priority as the policy says. Every step is O(1). */
export interface EvictionQueue {
  readonly policy: EvictionPolicy;
  readonly total: Usage;
  /** Entries of high priority; see `eviction.ts` for what protects them. */
  readonly protected: Usage;
  add(entry: StoredEntry): void;
  use(entry: StoredEntry): void;
  remove(entry: StoredEntry): void;
  next(options: { includeProtected: boolean }): StoredEntry | undefined;
  /** Sums up the sizes again (INV-MCP-CACHE-006). */
  recount(): void;
}

/** `entries` come in the order in which they were added: that is `fifo`. */
export function evictionQueue(policy: EvictionPolicy, entries: Iterable<StoredEntry> = []): EvictionQueue {
  const lines: Record<Priority, Line> = { low: new Line(), normal: new Line(), high: new Line() };
  const { low, normal, high } = lines;
  for (const entry of [...entries].sort(STARTING_ORDER[policy])) {
    entry.rank = policy === 'lfu' ? entry.accessCount : 0;
    lines[entry.priority].add(entry);
  }
  return {
    policy,
    protected: high,
    get total() {
      return {
        count: low.count + normal.count + high.count,
        sizeBytes: low.sizeBytes + normal.sizeBytes + high.sizeBytes,
      };
    },
    add: (entry) => lines[entry.priority].add(entry),
    use: (entry) => {
      if (policy !== 'fifo') lines[entry.priority].moveBack(entry, policy === 'lfu' ? 1 : 0);
    },
    remove: (entry) => lines[entry.priority].remove(entry),
    next: ({ includeProtected }) => low.first ?? normal.first ?? (includeProtected ? high.first : undefined),
    recount: () => {
      for (const line of [low, normal, high]) line.recount();
    },
  };
}

/** Highest rank first for `lfu`, because a line puts a rank that is new to it in front. */
const STARTING_ORDER: Record<EvictionPolicy, (one: StoredEntry, other: StoredEntry) => number> = {
  fifo: () => 0,
  lru: (one, other) => one.lastUse - other.lastUse,
  lfu: (one, other) => other.accessCount - one.accessCount || one.lastUse - other.lastUse,
};

/**
 * A linked list in ascending rank, and within a rank in order of arrival.
 * Not a Set: finding its first item again and again walks over the holes that deletions leave.
 */
class Line implements Usage {
  count = 0;
  sizeBytes = 0;
  first: StoredEntry | undefined;
  readonly #lastOfRank = new Map<number, StoredEntry>();

  add(entry: StoredEntry): void {
    this.#link(entry, this.#lastOfRank.get(entry.rank));
    this.count += 1;
    this.sizeBytes += entry.sizeBytes;
  }

  remove(entry: StoredEntry): void {
    this.#unlink(entry);
    this.count -= 1;
    this.sizeBytes -= entry.sizeBytes;
  }

  /** To the end of its rank, or of the rank `ranksUp` (0 or 1) above. */
  moveBack(entry: StoredEntry, ranksUp: number): void {
    const { ahead, rank } = entry;
    this.#unlink(entry);
    entry.rank += ranksUp;
    this.#link(entry, this.#lastOfRank.get(entry.rank) ?? this.#lastOfRank.get(rank) ?? ahead);
  }

  recount(): void {
    this.sizeBytes = 0;
    for (let entry = this.first; entry !== undefined; entry = entry.behind) this.sizeBytes += entry.sizeBytes;
  }

  #link(entry: StoredEntry, ahead: StoredEntry | undefined): void {
    const behind = ahead === undefined ? this.first : ahead.behind;
    entry.ahead = ahead;
    entry.behind = behind;
    if (ahead === undefined) this.first = entry;
    else ahead.behind = entry;
    if (behind !== undefined) behind.ahead = entry;
    this.#lastOfRank.set(entry.rank, entry);
  }

  #unlink(entry: StoredEntry): void {
    const { ahead, behind, rank } = entry;
    if (ahead === undefined) this.first = behind;
    else ahead.behind = behind;
    if (behind !== undefined) behind.ahead = ahead;
    if (this.#lastOfRank.get(rank) !== entry) return;
    if (ahead?.rank === rank) this.#lastOfRank.set(rank, ahead);
    else this.#lastOfRank.delete(rank);
  }
}
