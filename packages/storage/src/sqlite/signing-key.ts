import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/** A random key of this name, the same for all processes that share the store. Made at the first use. */
export function signingKey(database: Database, name: string): () => Promise<Uint8Array> {
  let known: Promise<Uint8Array> | undefined;
  const load = () =>
    database.write((connection) => {
      connection.run('INSERT OR IGNORE INTO keys (name, value) VALUES (?, ?)', name, randomBytes(32).toString('hex'));
      const row = connection.get('SELECT value FROM keys WHERE name = ?', name);
      return Buffer.from(String(row?.value), 'hex');
    });
  return () => {
    known ??= load().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
