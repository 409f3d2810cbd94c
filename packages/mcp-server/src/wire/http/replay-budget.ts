/** All that is kept in this process for clients that lost their connection, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Bounds what many streams keep together. */
export interface ReplayBudget {
  /** False where there is no room: then it is not kept. */
  take(size: number): boolean;
  give(size: number): void;
}

export function createReplayBudget(max = MAX_KEPT): ReplayBudget {
  let taken = 0;
  return {
    take: (size) => {
      if (taken + size > max) return false;
      taken += size;
      return true;
    },
    give: (size) => {
      taken -= size;
    },
  };
}
