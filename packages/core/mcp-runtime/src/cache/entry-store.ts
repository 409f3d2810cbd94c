import type { Evictable } from './eviction.js';
import {
  type EvictionPolicy,
  type EvictionQueue,
  evictionQueue,
  type StoredEntry,
  type Usage,
} from './eviction-queue.js';

/** Entries by key and in line for eviction: the one place where the two change together (INV-MCP-CACHE-005). */
export class EntryStore implements Evictable {
  evictionCount = 0;
  readonly #entries = new Map<string, StoredEntry>();
  #queue: EvictionQueue = evictionQueue('lru');

  get total(): Usage {
    return this.#queue.total;
  }

  get protected(): Usage {
    return this.#queue.protected;
  }

  get(key: string): StoredEntry | undefined {
    return this.#entries.get(key);
  }

  /** Oldest first. */
  all(): Iterable<StoredEntry> {
    return this.#entries.values();
  }

  /** The key must be free. */
  add(entry: StoredEntry): void {
    this.#entries.set(entry.key, entry);
    this.#queue.add(entry);
  }

  use(entry: StoredEntry): void {
    this.#queue.use(entry);
  }

  remove(entry: StoredEntry): void {
    this.#entries.delete(entry.key);
    this.#queue.remove(entry);
  }

  evictNext(includeProtected: boolean): boolean {
    const victim = this.#queue.next({ includeProtected });
    if (victim === undefined) return false;
    this.remove(victim);
    this.evictionCount += 1;
    return true;
  }

  clear(): void {
    this.#entries.clear();
    this.#queue = evictionQueue(this.#queue.policy);
  }

  recount(): void {
    this.#queue.recount();
  }

  /** Sorts once, when the policy changes; every other step is O(1). */
  follow(policy: EvictionPolicy): void {
    if (policy !== this.#queue.policy) this.#queue = evictionQueue(policy, this.#entries.values());
  }
}
