import { createRequire } from 'node:module';

export type Value = string | number | null;
export type Row = Record<string, Value>;

interface Statement {
  run(values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(values: Value[]): unknown;
  all(values: Value[]): unknown[];
}

interface Handle {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

/** An open database file. Statements are prepared once. */
export interface Connection {
  exec(sql: string): void;
  run(sql: string, ...values: Value[]): { changes: number; lastRow: number };
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  close(): void;
}

/** Opens with the runtime's own SQLite where it has one (Node 22.13 and later), else with libsql. */
export function connect(file: string): Connection {
  const handle = open(file);
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = handle.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => void handle.exec(sql),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepared(sql).run(values);
      return { changes: Number(changes), lastRow: Number(lastInsertRowid) };
    },
    get: (sql, ...values) => prepared(sql).get(values) as Row | undefined,
    all: (sql, ...values) => prepared(sql).all(values) as Row[],
    close: () => {
      statements.clear();
      handle.close();
    },
  };
}

const require = createRequire(import.meta.url);

function open(file: string): Handle {
  const Builtin = builtinDatabase();
  if (Builtin) return takingArrays(new Builtin(file));
  const Libsql = require('libsql') as new (file: string) => Handle;
  return new Libsql(file);
}

interface BuiltinHandle extends Omit<Handle, 'prepare'> {
  prepare(sql: string): { [Name in keyof Statement]: (...values: Value[]) => ReturnType<Statement[Name]> };
}

/** The built-in driver wants values one by one; libsql takes them at once, and would flatten a list of them slowly. */
const takingArrays = (handle: BuiltinHandle): Handle => ({
  exec: (sql) => handle.exec(sql),
  prepare: (sql) => {
    const statement = handle.prepare(sql);
    return {
      run: (values) => statement.run(...values),
      get: (values) => statement.get(...values),
      all: (values) => statement.all(...values),
    };
  },
  close: () => handle.close(),
});

function builtinDatabase(): (new (file: string) => BuiltinHandle) | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) return undefined;
  // The module warns on stderr that it is experimental; that is our choice to make, not news for the user.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return (require('node:sqlite') as { DatabaseSync: new (file: string) => BuiltinHandle }).DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

export type FailureKind = 'busy' | 'read-only' | 'io' | 'corrupt' | 'full' | 'cannot-open' | 'foreign' | 'other';

/** SQLite's result codes that we tell apart, by the number that both drivers know. */
const RESULT_CODES: Readonly<Record<number, FailureKind>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot-open',
  26: 'foreign',
};

/** What the file system says when the folder or the file cannot be made. */
const FILE_CODES: Readonly<Record<string, FailureKind>> = {
  EACCES: 'read-only',
  EPERM: 'read-only',
  EROFS: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'io',
  EEXIST: 'cannot-open',
  EISDIR: 'cannot-open',
  ENOENT: 'cannot-open',
  ENOTDIR: 'cannot-open',
};

/**
 * Undefined for what is no failure of the database but of the code that uses it. Both drivers give SQLite's number
 * under a name of their own; libsql gives none when the file cannot be opened.
 */
export function failureKind(error: unknown): FailureKind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { rawCode, errcode, code = '' } = error as { rawCode?: number; errcode?: number; code?: string };
  const number = rawCode ?? errcode;
  if (number !== undefined) return RESULT_CODES[number & 0xff] ?? 'other';
  return error.message.startsWith('ConnectionFailed') ? 'cannot-open' : FILE_CODES[code];
}

export function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself already, as it does when the disk is full.
  }
}
