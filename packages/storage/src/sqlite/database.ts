import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '@automatosx/contracts';
import { type Connection, connect, type FailureKind, failureKind } from './driver.js';
import { migrate } from './migrations.js';
import { createTransactions, type Transactions } from './transactions.js';
import { createVersion } from './version.js';

export interface DatabaseOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly synchronous: () => 'normal' | 'full';
  /** How long to wait for another process that holds the write lock. */
  readonly lockWaitMs?: number;
  /** Hears why the database is out of order, with the host's own words. */
  readonly log?: (message: string, error: unknown) => void;
}

/** The embedded database: opened at first use, and again at the next use if that failed. */
export interface Database extends Transactions {
  /** Another object after any change, by this process or another; not for what `atCommit` writes. */
  version(): object;
  /** Finishes what is under way and lets go of the file. */
  close(): Promise<void>;
}

export function openDatabase({ file, synchronous, lockWaitMs = 10_000, log }: DatabaseOptions): Database {
  let connection: Connection | undefined;
  let isSpoilt = false;
  const version = createVersion((pragma) => Number(connected().get(pragma)?.data_version));
  const connected = (): Connection => {
    connection ??= openFile(file, synchronous());
    return connection;
  };
  const disconnect = () => {
    if (!isSpoilt && connection) checkpoint(connection);
    connection?.close();
    connection = undefined;
    isSpoilt = false;
    version.raise(); // The next connection may find another file, and counts from the start.
  };
  const transactions = createTransactions({
    lockWaitMs,
    connected,
    renewed: () => {
      if (isSpoilt) disconnect();
    },
    undone: version.raise,
    explain: (error) => {
      const kind = failureKind(error);
      if (kind === undefined) return error;
      isSpoilt ||= LASTING.has(kind);
      log?.('The database failed', error);
      return new ToolError('STORAGE_UNAVAILABLE', REASONS[kind], { cause: error, retryAfterMs: 1000 });
    },
  });
  return {
    ...transactions,
    version: version.current,
    write: (work) =>
      transactions.write((open) => {
        version.raise();
        return work(open);
      }),
    close: () => transactions.whenIdle(disconnect),
  };
}

function openFile(file: string, synchronous: 'normal' | 'full'): Connection {
  if (file !== ':memory:') prepareFile(file);
  const connection = connect(file);
  try {
    // Waiting for a lock is ours to do (transactions.ts): the driver's own wait would stop the event loop.
    connection.exec('PRAGMA busy_timeout = 0');
    migrate(connection);
    connection.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = OFF;`);
    if (file !== ':memory:') makePrivate(file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes the file before SQLite does, because those that SQLite puts beside it get the same mode. */
function prepareFile(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Closing any descriptor of a database drops all locks that this process has on it, so one that exists is not opened.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // SQLite would open what cannot be written to for reading, and stay with that when it can be.
  for (const path of [folder, file]) accessSync(path, constants.W_OK);
}

function makePrivate(file: string): void {
  const { mode } = statSync(file);
  if (mode & 0o077) chmodSync(file, mode & 0o700);
}

/** Puts all into the one file. Closing would, but libsql closes only when its statements are garbage-collected. */
function checkpoint(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // What is beside the file is as durable as what is in it.
  }
}

/** After these only a new connection can tell whether the cause is gone. */
const LASTING: ReadonlySet<FailureKind> = new Set(['read-only', 'io', 'corrupt', 'cannot-open', 'foreign']);

const REASONS: Readonly<Record<FailureKind, string>> = {
  busy: 'Another process keeps the database locked',
  'read-only': 'The data folder cannot be written to',
  io: 'The disk failed to read or write',
  corrupt: 'The database file is damaged; it was left as it is. Put back a copy, or move it away to begin anew',
  full: 'The disk is full',
  'cannot-open': 'The database file cannot be opened in the data folder',
  foreign: 'The database file was not made by AutomatosX; it was left as it is. Choose another data folder',
  other: 'The database failed',
};
