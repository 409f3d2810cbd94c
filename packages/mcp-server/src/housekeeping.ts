import type { Config } from '@automatosx/contracts/config';
import type { ArtifactStore, Cache, IdempotencyStore } from '@automatosx/mcp-runtime';
import type { MemoryStore } from '@automatosx/memory-domain';
import type { TraceStore } from '@automatosx/trace-domain';
import type { Log } from './log.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;

interface Options {
  readonly config: () => Config;
  readonly now: () => number;
  readonly memory: MemoryStore;
  readonly traces: TraceStore;
  readonly idempotency: IdempotencyStore;
  readonly artifacts: ArtifactStore;
  readonly cache: Cache;
  readonly log: Log;
}

/** Removes what has expired, a little at a time, and ends the calls of processes that are gone. */
export interface Housekeeping {
  /** What must be done before the first call. */
  start(): Promise<void>;
  sweep(): Promise<void>;
  stop(): void;
}

export function createHousekeeping(options: Options): Housekeeping {
  const { config, now, memory, traces, idempotency, artifacts, cache, log } = options;
  let timer: NodeJS.Timeout | undefined;

  const endInterrupted = async () => {
    const count = await traces.endInterrupted(now());
    if (count > 0) log('info', 'Calls of processes that are gone were ended as failures', { count });
  };
  const prune = () => {
    const { retentionDays, maxBytes } = config().trace;
    return traces.prune({ olderThan: now() - retentionDays * DAY_MS, maxBytes });
  };
  const sweep = async () => {
    cache.cleanup();
    await endInterrupted();
    for (const remove of [memory.removeExpired, idempotency.removeExpired, artifacts.removeExpired, prune]) {
      while (await remove()) await new Promise(setImmediate); // Calls go in between.
    }
  };
  const quietly = (work: () => Promise<void>) =>
    work().catch((error: unknown) => log('warn', 'Housekeeping failed; it is tried again in a minute', { error }));

  return {
    start: () => {
      timer = setInterval(() => quietly(sweep), INTERVAL_MS).unref();
      return quietly(endInterrupted);
    },
    sweep,
    stop: () => clearInterval(timer),
  };
}
