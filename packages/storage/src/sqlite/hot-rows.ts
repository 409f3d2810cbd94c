import type { Database } from './database.js';
import type { Connection } from './driver.js';

const MAX_ROWS = 1000;

/** Keeps rows that were read until anything changes: reading one takes longer than all layers of a call together. */
export function hotRows<T>(database: Database, isSmall: (row: T) => boolean) {
  const rows = new Map<string, T>();
  let version: object | undefined;

  return (key: string, query: (connection: Connection) => T | undefined): Promise<T | undefined> =>
    database.read((connection) => {
      const current = database.version();
      if (current !== version || rows.size >= MAX_ROWS) rows.clear();
      version = current;
      const known = rows.get(key);
      if (known !== undefined) return known;
      const row = query(connection);
      if (row !== undefined && isSmall(row)) rows.set(key, row);
      return row;
    });
}
