import type { Config } from '@automatosx/contracts/config';
import type { ArtifactStore, Cache, IdempotencyStore, TaskStore } from '@automatosx/mcp-runtime';
import type { MemoryStore } from '@automatosx/memory-domain';
import type { TraceStore } from '@automatosx/trace-domain';
import type { Log } from './log.js';

const INTERVAL_MS = 60_000;
/** Also clients that stay only for a moment remove what has expired. */
const FIRST_MS = 5_000;
const DAY_MS = 86_400_000;

interface Options {
  readonly config: () => Config;
  readonly now: () => number;
  readonly memory: MemoryStore;
  readonly traces: TraceStore;
  readonly idempotency: IdempotencyStore;
  readonly artifacts: ArtifactStore;
  readonly tasks: TaskStore;
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
  const { config, now, memory, traces, idempotency, artifacts, tasks, cache, log } = options;
  const timers: NodeJS.Timeout[] = [];
  let isSweeping = false;

  const endInterrupted = async () => {
    await tasks.endInterrupted();
    const count = await traces.endInterrupted(now());
    if (count > 0) log('info', 'Calls of processes that are gone were ended as failures', { count });
  };
  const prune = () => {
    const { retentionDays, maxBytes } = config().trace;
    return traces.prune({ olderThan: now() - retentionDays * DAY_MS, maxBytes });
  };
  const sweep = async () => {
    await endInterrupted();
    const stores = [memory, idempotency, artifacts, tasks];
    for (const remove of [...stores.map(({ removeExpired }) => removeExpired), prune]) {
      while (await remove()) await new Promise(setImmediate); // Calls go in between.
    }
  };
  const quietly = (work: () => Promise<void>) =>
    work().catch((error: unknown) => log('warn', 'Housekeeping failed; it is tried again in a minute', { error }));

  const sweepOnce = async () => {
    if (isSweeping) return;
    isSweeping = true;
    await quietly(sweep);
    isSweeping = false;
  };

  return {
    start: () => {
      timers.push(setTimeout(sweepOnce, FIRST_MS), setInterval(sweepOnce, INTERVAL_MS));
      timers.push(setInterval(() => cache.cleanup(), config().cache.cleanupIntervalMs));
      for (const timer of timers) timer.unref();
      return quietly(endInterrupted);
    },
    sweep,
    stop: () => timers.forEach(clearTimeout),
  };
}
