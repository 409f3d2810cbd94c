import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@automatosx/contracts';
import { type Connection, failureKind } from './driver.js';

type Work<T> = (connection: Connection) => T;

export interface Transactions {
  /**
   * Runs `work` in the transaction of this turn of the event loop. Resolves when it ran; it is durable, together with
   * everything else of the turn, when `atCommit` resolves. `work` checks first and writes last: a ToolError that it
   * throws undoes nothing, and an error of the database undoes the whole turn.
   */
  write<T>(work: Work<T>): Promise<T>;
  /** Runs `work` as the last thing in this turn's transaction. Resolves when all of the turn is durable. */
  atCommit(work: Work<void>): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface Options {
  readonly connected: () => Connection;
  /** Turns what the driver throws into a ToolError. */
  readonly guarded: <T>(work: () => T) => T;
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
export function createTransactions({ connected, guarded, lockWaitMs }: Options): Transactions {
  let open: Open | undefined;
  let waiting: Promise<Open> | undefined;

  const transaction = (): Open | Promise<Open> => open ?? waiting ?? tryBegin() ?? wait();

  /** Undefined where another process holds the lock. */
  const tryBegin = (): Open | undefined =>
    guarded(() => {
      const connection = connected();
      try {
        connection.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if (failureKind(error) === 'busy') return undefined;
        throw error;
      }
      open = opened(connection);
      // A tick that a microtask asks for comes after all microtasks of the turn: every call has run as far as it can.
      queueMicrotask(() => process.nextTick(commit));
      return open;
    });

  const wait = (): Promise<Open> => {
    waiting = beginLater().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };

  /** Waits for the other process without stopping the event loop. */
  const beginLater = async (): Promise<Open> => {
    const deadline = performance.now() + lockWaitMs;
    for (let pauseMs = 1; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 20)) {
      await sleep(pauseMs * (0.5 + Math.random()));
      const begun = tryBegin();
      if (begun) return begun;
    }
    throw new ToolError('STORAGE_UNAVAILABLE', 'Another process keeps the database locked', { retryAfterMs: 1000 });
  };

  const run = <T>(current: Open, work: Work<T>): T => {
    if (current.failure !== undefined) throw current.failure;
    try {
      return guarded(() => work(current.connection));
    } catch (error) {
      if ((error as ToolError).toolCode === 'STORAGE_UNAVAILABLE') current.failure = error;
      throw error;
    }
  };

  const commit = () => {
    const current = open as Open;
    try {
      for (const work of current.last) run(current, work);
      if (current.failure !== undefined) throw current.failure;
      guarded(() => current.connection.exec('COMMIT'));
      open = undefined;
      current.settle();
    } catch (error) {
      open = undefined;
      rollBack(current.connection);
      current.settle(error);
    }
  };

  return {
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
    idle: async () => {
      await waiting?.catch(() => {});
      await open?.committed.catch(() => {});
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

function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself already, as it does when the disk is full.
  }
}
