import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, failureKind, rollBack } from './driver.js';

type Work<T> = (connection: Connection) => T;

export interface Transactions {
  /** Queries see what this turn has written. */
  read<T>(query: Work<T>): Promise<T>;
  /**
   * Runs `work` in the transaction of this turn of the event loop. Resolves when it ran; it is durable, together with
   * everything else of the turn, when `atCommit` resolves. `work` checks first and writes last: what it throws undoes
   * nothing, and an error of the database undoes the whole turn.
   */
  write<T>(work: Work<T>): Promise<T>;
  /** Runs `work` as the last thing in this turn's transaction. Resolves when all of the turn is durable. */
  atCommit(work: Work<void>): Promise<void>;
  /** Opens this turn's transaction; what is written before the turn ends need not wait for another process any more. */
  ready(): Promise<void>;
  /** Commits when this callback of the event loop has run as far as it can, and not after all others of the turn. */
  hurry(): void;
  /** True while another process holds the lock that a transaction needs. */
  isWaiting(): boolean;
  /** Gives up waiting for locks, and runs `work` as soon as nothing is under way and before anything else begins. */
  whenIdle(work: () => void): Promise<void>;
}

interface Options {
  readonly connected: () => Connection;
  /** Called between transactions: lets go of a connection that has failed. */
  readonly renewed: () => void;
  /** Called when a turn was undone: what others read of it was never so. */
  readonly undone: () => void;
  /** Turns what the driver throws into a ToolError. */
  readonly explain: (error: unknown) => unknown;
  readonly lockWaitMs: number;
}

interface Open {
  readonly connection: Connection;
  readonly last: Work<void>[];
  readonly committed: Promise<void>;
  readonly settle: (failure?: unknown) => void;
  /** What went wrong: the rest of the turn fails with it, and all of it is undone. */
  failure?: unknown;
}

/**
 * One transaction per turn of the event loop: calls that finish in the same turn share one commit (15,000 inserts a
 * second become 90,000), and a call's changes and its trace stand or fall together.
 */
export function createTransactions({ connected, renewed, undone, explain, lockWaitMs }: Options): Transactions {
  let open: Open | undefined;
  let waiting: Promise<Open> | undefined;
  let isStopping = false;

  const transaction = (): Open | Promise<Open> => open ?? waiting ?? unlessBusy(begin, wait);

  const begin = (): Open => {
    renewed();
    const connection = connected();
    connection.exec('BEGIN IMMEDIATE');
    const current = opened(connection);
    open = current;
    // After everything that came in this turn, from whichever socket: every call has run as far as it can.
    setImmediate(() => commit(current));
    return current;
  };

  const wait = (): Promise<Open> => {
    waiting = whenFree(begin).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };

  const unlessBusy = <T, U>(attempt: () => T, otherwise: () => U): T | U => {
    try {
      return attempt();
    } catch (error) {
      if (failureKind(error) === 'busy') return otherwise();
      throw explain(error);
    }
  };

  /** Waits for the other process without stopping the event loop. */
  const whenFree = async <T>(attempt: () => T): Promise<T> => {
    const deadline = performance.now() + lockWaitMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 20)) {
      await sleep(pauseMs * (0.5 + Math.random()));
      try {
        return attempt();
      } catch (error) {
        if (failureKind(error) !== 'busy' || isStopping || performance.now() >= deadline) throw explain(error);
      }
    }
  };

  const run = <T>(current: Open, work: Work<T>): T => {
    if (current.failure !== undefined) throw current.failure;
    try {
      return work(current.connection);
    } catch (error) {
      if (failureKind(error) === undefined) throw error;
      current.failure = explain(error);
      throw current.failure;
    }
  };

  const commit = (current: Open) => {
    if (open !== current) return;
    try {
      for (const work of current.last) run(current, work);
      run(current, (connection) => connection.exec('COMMIT'));
      open = undefined;
      current.settle();
    } catch (error) {
      open = undefined;
      rollBack(current.connection);
      undone();
      current.settle(error);
    }
  };

  return {
    ready: async () => {
      await transaction();
    },
    hurry: () => {
      const current = open;
      // A tick that a microtask asks for comes after all microtasks of this callback.
      if (current) queueMicrotask(() => process.nextTick(commit, current));
    },
    isWaiting: () => waiting !== undefined,
    read: async (query) => {
      if (!open) renewed();
      const attempt = () => query(connected());
      return unlessBusy(attempt, () => whenFree(attempt));
    },
    write: async (work) => {
      const current = transaction();
      return run(current instanceof Promise ? await current : current, work);
    },
    atCommit: async (work) => {
      const now = transaction();
      const current = now instanceof Promise ? await now : now;
      current.last.push(work);
      return current.committed;
    },
    whenIdle: async (work) => {
      isStopping = true;
      while (waiting || open) await (waiting ?? open?.committed)?.catch(() => {});
      isStopping = false;
      work();
    },
  };
}

function opened(connection: Connection): Open {
  let settle: Open['settle'] = () => {};
  const committed = new Promise<void>((resolve, reject) => {
    settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  committed.catch(() => {}); // There are turns in which nobody waits for the commit.
  return { connection, last: [], committed, settle };
}
