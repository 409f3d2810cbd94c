/** All connections of the process together. */
const MAX_IN_PROCESS = 1024;
/** Where there are several principals, one leaves at least half of the places to the others. */
const MAX_OF_PRINCIPAL = MAX_IN_PROCESS / 2;

export interface Caller {
  readonly principal: string;
  /** A user of this machine is alone. */
  readonly isLocal: boolean;
}

/** Counts what is under way in the whole process, so that many connections cannot take what one may not. */
export interface Admission {
  /** False where there is no place; else `leave` gives it back. */
  enter(caller: Caller): boolean;
  leave(caller: Caller): void;
  size(): number;
}

export function createAdmission(): Admission {
  const byPrincipal = new Map<string, number>();
  let total = 0;
  return {
    enter: ({ principal, isLocal }) => {
      const own = byPrincipal.get(principal) ?? 0;
      if (total >= MAX_IN_PROCESS || (!isLocal && own >= MAX_OF_PRINCIPAL)) return false;
      byPrincipal.set(principal, own + 1);
      total += 1;
      return true;
    },
    leave: ({ principal }) => {
      const left = (byPrincipal.get(principal) ?? 1) - 1;
      if (left === 0) byPrincipal.delete(principal);
      else byPrincipal.set(principal, left);
      total -= 1;
    },
    size: () => total,
  };
}

/** What lasts until somebody ends it must not take the places of calls. */
export interface Admissions {
  readonly calls: Admission;
  readonly lasting: Admission;
}

export const createAdmissions = (): Admissions => ({ calls: createAdmission(), lasting: createAdmission() });
