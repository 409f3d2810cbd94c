import type { ArtifactStore } from '@automatosx/mcp-runtime';
import type { Database } from './database.js';
import type { Connection } from './driver.js';
import { createTraceIds } from './trace-ids.js';

const KEPT_MS = 24 * 60 * 60 * 1000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256_000_000;
const SWEEP = 20;

export function sqliteArtifactStore(database: Database, now: () => number): ArtifactStore {
  const ids = createTraceIds(now);
  return {
    add: async (principal, body) => {
      const size = Buffer.byteLength(body);
      if (size > MAX_BYTES) return undefined;
      return database.write((connection) => {
        makeRoom(connection, size);
        const id = ids.next();
        connection.run(
          'INSERT INTO artifacts (artifact_id, principal, expires_at, size, body) VALUES (?, ?, ?, ?, ?)',
          ...[id, principal, now() + KEPT_MS, size, body],
        );
        return id;
      });
    },

    read: (principal, id, { offset, length }) =>
      database.read((connection) => {
        const row = connection.get(
          `SELECT substr(body, ?, ?) AS text, length(body) AS total FROM artifacts
           WHERE artifact_id = ? AND principal = ? AND expires_at > ?`,
          ...[offset + 1, length, id, principal, now()],
        );
        return row && { text: String(row.text), totalLength: Number(row.total) };
      }),

    removeExpired: () =>
      database.write((connection) => {
        const { changes } = connection.run(
          'DELETE FROM artifacts WHERE artifact_id IN (SELECT artifact_id FROM artifacts WHERE expires_at <= ? LIMIT ?)',
          ...[now(), SWEEP],
        );
        return changes === SWEEP;
      }),
  };
}

/** The oldest make room for a new one. */
function makeRoom(connection: Connection, size: number): void {
  let total = size + Number(connection.get('SELECT sum(size) AS bytes FROM artifacts')?.bytes ?? 0);
  if (total <= MAX_TOTAL_BYTES) return;
  for (const row of connection.all('SELECT artifact_id, size FROM artifacts ORDER BY artifact_id')) {
    if (total <= MAX_TOTAL_BYTES) return;
    connection.run('DELETE FROM artifacts WHERE artifact_id = ?', row.artifact_id ?? null);
    total -= Number(row.size);
  }
}
