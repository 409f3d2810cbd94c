import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '@automatosx/contracts';
import { type Connection, connect, failureKind } from './driver.js';
import { migrate } from './migrations.js';
import { createTransactions, type Transactions } from './transactions.js';

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
  /** Queries see what this turn has written. */
  read<T>(query: (connection: Connection) => T): Promise<T>;
  /** Finishes what is under way and lets go of the file. */
  close(): Promise<void>;
}

export function openDatabase({ file, synchronous, lockWaitMs = 10_000, log }: DatabaseOptions): Database {
  let connection: Connection | undefined;
  const connected = (): Connection => {
    connection ??= guarded(() => openFile(file, synchronous()));
    return connection;
  };
  /** Everything that the driver throws becomes an error that a client may see; the host's words go to the log. */
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof ToolError) throw error;
      log?.('The database failed', error);
      throw toToolError(error);
    }
  };
  const transactions = createTransactions({ connected, guarded, lockWaitMs });
  return {
    ...transactions,
    read: async (query) => guarded(() => query(connected())),
    close: async () => {
      await transactions.idle();
      connection?.close();
      connection = undefined;
    },
  };
}

function openFile(file: string, synchronous: 'normal' | 'full'): Connection {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = connect(file);
  try {
    migrate(connection);
    // Waiting for a lock is ours to do (transactions.ts): the driver's own wait would stop the event loop.
    connection.exec(`PRAGMA busy_timeout = 0; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = OFF;`);
    if (file !== ':memory:') chmodSync(file, 0o600);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

const REASONS = {
  busy: 'Another process keeps the database locked',
  'read-only': 'The data folder cannot be written to',
  io: 'The disk failed to read or write',
  corrupt: 'The database file is damaged; it was left as it is. Put back a copy, or move it away to begin anew',
  full: 'The disk is full',
  'cannot-open': 'The database file cannot be opened in the data folder',
  foreign: 'The database file was not made by AutomatosX; it was left as it is. Choose another data folder',
  other: 'The database failed',
} as const;

function toToolError(error: unknown): ToolError {
  const kind = failureKind(error);
  const code = (error as { code?: string }).code ?? '';
  const reason = ['EACCES', 'EROFS', 'EPERM'].includes(code)
    ? REASONS['read-only']
    : code === 'ENOSPC'
      ? REASONS.full
      : code === 'ENOTDIR' || code === 'EEXIST'
        ? REASONS['cannot-open']
        : REASONS[kind];
  return new ToolError('STORAGE_UNAVAILABLE', reason, { cause: error, retryAfterMs: 1000 });
}
