import { join } from 'node:path';
import { openDatabase } from '@automatosx/storage';

type Query = Parameters<ReturnType<typeof openDatabase>['read']>[0];

/** Looks into a home's database from outside. */
export async function inDatabase<T>(home: string, query: (connection: Parameters<Query>[0]) => T): Promise<T> {
  const database = openDatabase({ file: join(home, 'automatosx.db'), synchronous: () => 'normal' });
  try {
    return await database.read(query);
  } finally {
    await database.close();
  }
}

/** `ok`, or what SQLite found wrong. */
export const integrityOf = (home: string): Promise<string> =>
  inDatabase(home, (connection) => String(connection.get('PRAGMA integrity_check')?.integrity_check));

/** Every byte of text that the database holds. */
export const textOf = (home: string): Promise<string> =>
  inDatabase(home, (connection) => {
    const tables = connection.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_%' ESCAPE '\\'",
    );
    const named = [...tables.map(({ name }) => String(name)), 'trace_counts', 'memory_counts'];
    return JSON.stringify(
      named.filter((name) => name !== 'memory').map((name) => connection.all(`SELECT * FROM ${name}`)),
    );
  });
