/** All that is kept in this process for clients that lost their connection, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Bounds what many streams keep together. */
export interface ReplayBudget {
  /** False where there is no room: then it is not kept. */
  take(size: number): boolean;
  give(size: number): void;
}

/** A part of another one is bounded by both. */
export function createReplayBudget(max = MAX_KEPT, whole?: ReplayBudget): ReplayBudget {
  let taken = 0;
  return {
    take: (size) => {
      if (taken + size > max || whole?.take(size) === false) return false;
      taken += size;
      return true;
    },
    give: (size) => {
      taken -= size;
      whole?.give(size);
    },
  };
}
