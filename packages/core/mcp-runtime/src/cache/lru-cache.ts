import type {
  CacheGetResult,
  CacheSetOptions,
  MCPCacheConfig,
  MCPCacheEntry,
  MCPCacheStats,
} from '@automatosx/contracts';
import { EntryStore } from './entry-store.js';
import { enforceMaximum, makeRoom, pressureLevel } from './eviction.js';
import type { StoredEntry } from './eviction-queue.js';
import { estimateSizeBytes } from './size-estimator.js';

export interface CacheOptions {
  /** Read on every operation, because the configuration can change while the server runs. */
  readonly config: () => MCPCacheConfig;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A bounded cache. Values are not cloned: whoever shares one does not change it. */
export interface Cache {
  /** An expired entry is a miss, and is removed. */
  get(key: string): CacheGetResult;
  /** False if the value could not be kept; what the key held before is gone all the same, because it is outdated. */
  set(key: string, value: unknown, options?: CacheSetOptions): boolean;
  /** True if something was there to delete. */
  delete(key: string): boolean;
  clear(): void;
  stats(): MCPCacheStats;
  /** Removes what has expired and recounts the size; the owner calls it every `cleanupIntervalMs`. */
  cleanup(): void;
}

export const createCache = (options: CacheOptions): Cache => new PolicyCache(options);

const MAX_KEY_LENGTH = 256;

class PolicyCache implements Cache {
  readonly #options: CacheOptions;
  readonly #store = new EntryStore();
  #uses = 0;
  #hits = 0;
  #misses = 0;
  #lastCleanupAt: number | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  get(key: string): CacheGetResult {
    this.#adoptConfig();
    const now = this.#options.now();
    const entry = this.#store.get(key);
    if (entry !== undefined && !isExpired(entry, now)) return this.#hit(entry, now);
    this.#misses += 1;
    if (entry !== undefined) this.#store.remove(entry);
    return { hit: false };
  }

  set(key: string, value: unknown, options: CacheSetOptions = {}): boolean {
    const config = this.#adoptConfig();
    const { ttlMs = config.defaultTtlMs, priority = 'normal' } = options;
    // Whatever can throw comes first, so that a failure changes nothing (INV-MCP-CACHE-005).
    const entry = this.#toEntry(key, value, { ttlMs, priority });
    this.delete(key);
    const isKept = key.length > 0 && key.length <= MAX_KEY_LENGTH && makeRoom(this.#store, entry, config);
    if (isKept) this.#store.add(entry);
    return isKept;
  }

  delete(key: string): boolean {
    const entry = this.#store.get(key);
    if (entry !== undefined) this.#store.remove(entry);
    return entry !== undefined;
  }

  clear(): void {
    this.#store.clear();
  }

  stats(): MCPCacheStats {
    const config = this.#adoptConfig();
    const { total, evictionCount } = this.#store;
    return {
      entryCount: total.count,
      currentSizeBytes: total.sizeBytes,
      maxSizeBytes: config.maxSizeBytes,
      hitCount: this.#hits,
      missCount: this.#misses,
      hitRate: this.#hits === 0 ? 0 : this.#hits / (this.#hits + this.#misses),
      evictionCount,
      ...(this.#lastCleanupAt !== undefined && { lastCleanupAt: this.#lastCleanupAt }),
      pressureLevel: pressureLevel(this.#store, config),
    };
  }

  cleanup(): void {
    const now = this.#options.now();
    for (const entry of this.#store.all()) if (isExpired(entry, now)) this.#store.remove(entry);
    this.#store.recount();
    this.#adoptConfig();
    this.#lastCleanupAt = now;
  }

  #adoptConfig(): MCPCacheConfig {
    const config = this.#options.config();
    this.#store.follow(config.evictionPolicy);
    enforceMaximum(this.#store, config);
    return config;
  }

  #hit(entry: StoredEntry, now: number): CacheGetResult {
    this.#hits += 1;
    this.#uses += 1;
    entry.lastUse = this.#uses;
    entry.lastAccessedAt = now;
    entry.accessCount += 1;
    this.#store.use(entry);
    return { hit: true, value: entry.value, entry: toCacheEntry(entry) };
  }

  #toEntry(key: string, value: unknown, options: Pick<StoredEntry, 'ttlMs' | 'priority'>): StoredEntry {
    const now = this.#options.now();
    this.#uses += 1;
    return {
      key,
      value,
      sizeBytes: estimateSizeBytes(value),
      createdAt: now,
      lastAccessedAt: now,
      accessCount: 0,
      ...options,
      lastUse: this.#uses,
      rank: 0,
    };
  }
}

const isExpired = ({ ttlMs, createdAt }: MCPCacheEntry, now: number): boolean => ttlMs > 0 && now - createdAt >= ttlMs;

/** A copy of the public fields: the links to other entries stay inside. */
const toCacheEntry = (entry: StoredEntry): MCPCacheEntry => {
  const { key, value, sizeBytes, createdAt, lastAccessedAt, accessCount, ttlMs } = entry;
  return { key, value, sizeBytes, createdAt, lastAccessedAt, accessCount, ttlMs };
};
