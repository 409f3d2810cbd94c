import type { MCPCacheConfig, MCPCacheStats } from '@automatosx/contracts';
import type { StoredEntry, Usage } from './eviction-queue.js';

/** What eviction needs to know of, and do to, the entries. */
export interface Evictable {
  readonly total: Usage;
  /** The entries of high priority. */
  readonly protected: Usage;
  /** False if there was nothing to evict. */
  evictNext(includeProtected: boolean): boolean;
}

/*
 * High-priority entries are protected. An insertion of lower priority does not evict them (if it does not fit
 * beside them it is refused), and a lowered maximum evicts them only down to the maximum, not to the low water mark.
 * So they alone can fill the cache, and only then does eviction fail to get below 0.97: that is `critical`.
 */
const CRITICAL_SHARE = 0.97;
const HIGH_SHARE = 0.9;
const MEDIUM_SHARE = 0.5;

export function pressureLevel(store: Evictable, config: MCPCacheConfig): MCPCacheStats['pressureLevel'] {
  const share = shareOf(store.total, config);
  if (shareOf(store.protected, config) >= CRITICAL_SHARE) return 'critical';
  if (share >= HIGH_SHARE) return 'high';
  return share < MEDIUM_SHARE ? 'low' : 'medium';
}

/** False, and nothing was evicted, if the newcomer cannot be kept. */
export function makeRoom(store: Evictable, newcomer: StoredEntry, config: MCPCacheConfig): boolean {
  const mayEvictProtected = newcomer.priority === 'high';
  const immovable = mayEvictProtected ? NOTHING : store.protected;
  if (shareOf(withOne(immovable, newcomer), config) > 1) return false;

  const share = () => shareOf(withOne(store.total, newcomer), config);
  if (share() <= config.highWaterMark) return true;
  const target = lowWaterMark(config);
  while (share() > target && store.evictNext(mayEvictProtected));
  return true;
}

/** What is over a maximum was kept under an earlier, higher one (INV-MCP-CACHE-001, 002). */
export function enforceMaximum(store: Evictable, config: MCPCacheConfig): void {
  const share = () => shareOf(store.total, config);
  if (share() <= 1) return;
  const target = lowWaterMark(config);
  while (share() > target && store.evictNext(false));
  while (share() > 1 && store.evictNext(true));
}

/** Nothing stops a configuration from naming a low mark above its high one; eviction then stops where it began. */
const lowWaterMark = (config: MCPCacheConfig): number => Math.min(config.lowWaterMark, config.highWaterMark);

const NOTHING: Usage = { count: 0, sizeBytes: 0 };

const withOne = (usage: Usage, entry: StoredEntry): Usage => ({
  count: usage.count + 1,
  sizeBytes: usage.sizeBytes + entry.sizeBytes,
});

/** Share of the maximum in use: of bytes or of entries, whichever is larger. */
const shareOf = ({ count, sizeBytes }: Usage, { maxEntries, maxSizeBytes }: MCPCacheConfig): number =>
  Math.max(count / maxEntries, sizeBytes / maxSizeBytes);
