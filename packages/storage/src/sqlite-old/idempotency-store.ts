import type { Claim, IdempotencyKey, IdempotencyStore } from '@automatosx/mcp-runtime';
import type { Database } from './database.js';
import type { Connection } from './driver.js';
import { isAlive, thisProcess } from './processes.js';

const HONOURED_MS = 24 * 60 * 60 * 1000;
const SWEEP = 500;

const WHERE = 'principal = ? AND tool = ? AND key = ?';

export function sqliteIdempotencyStore(database: Database, now: () => number): IdempotencyStore {
  return {
    claim: (key, argumentsHash) =>
      database.write((connection) => claim(connection, { key, argumentsHash, now: now() })),
    complete: (key, answer) =>
      database.write((connection) => {
        connection.run(`UPDATE idempotency SET owner = NULL, answer = ? WHERE ${WHERE}`, answer, ...valuesOf(key));
      }),
    release: (key) =>
      database.write((connection) => {
        connection.run(`DELETE FROM idempotency WHERE ${WHERE}`, ...valuesOf(key));
      }),
    removeExpired: () =>
      database.write((connection) => {
        const { changes } = connection.run(
          `DELETE FROM idempotency WHERE (principal, tool, key) IN
             (SELECT principal, tool, key FROM idempotency WHERE claimed_at < ? LIMIT ?)`,
          now() - HONOURED_MS,
          SWEEP,
        );
        return changes === SWEEP;
      }),
  };
}

const valuesOf = ({ principal, tool, key }: IdempotencyKey): [string, string, string] => [principal, tool, key];

interface ClaimRequest {
  readonly key: IdempotencyKey;
  readonly argumentsHash: string;
  readonly now: number;
}

function claim(connection: Connection, { key, argumentsHash, now }: ClaimRequest): Claim {
  const row = connection.get(`SELECT * FROM idempotency WHERE ${WHERE}`, ...valuesOf(key));
  const isHonoured = row !== undefined && Number(row.claimed_at) >= now - HONOURED_MS;
  const isRunning = isHonoured && row.owner !== null && isAlive(String(row.owner), now);
  const isCompleted = isHonoured && typeof row.answer === 'string';
  if ((isRunning || isCompleted) && row.arguments !== argumentsHash) return { state: 'mismatch' };
  if (isCompleted) return { state: 'completed', answer: String(row.answer) };
  if (isRunning) return { state: 'running' };
  connection.run(
    'INSERT OR REPLACE INTO idempotency (principal, tool, key, arguments, owner, claimed_at) VALUES (?, ?, ?, ?, ?, ?)',
    ...[...valuesOf(key), argumentsHash, thisProcess, now],
  );
  return { state: 'claimed' };
}
