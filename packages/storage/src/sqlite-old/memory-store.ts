import { ToolError } from '@automatosx/contracts';
import type { MemoryEntry, MemoryHead, MemoryStore, NewEntry } from '@automatosx/memory-domain';
import { raise } from './changes.js';
import type { Database } from './database.js';
import type { Connection, Row } from './driver.js';
import { all, countRows, equals, listRows } from './filter.js';
import { beginningWith, listFilter, searchFilter } from './memory-filter.js';

/** How many expired entries one transaction removes, so that no call waits long for it. */
const SWEEP = 500;

const LISTING = { columns: '*', table: 'memory', key: 'seq' } as const;

export function sqliteMemoryStore(database: Database, now: () => number): MemoryStore {
  return {
    put: (entry) => database.write((connection) => put(connection, entry, now())),

    get: (namespace, key) =>
      database.read((connection) => {
        const row = connection.get('SELECT * FROM memory WHERE namespace = ? AND key = ?', namespace, key);
        return row && isLive(row, now()) ? toEntry(row) : undefined;
      }),

    list: (query) =>
      database.read((connection) => {
        const filter = listFilter(query, now());
        const { items, next } = listRows(connection, { ...LISTING, order: 'ASC', filter, page: query.page });
        const total = query.prefix
          ? countRows(connection, 'memory', filter)
          : countAll(connection, query.namespace, now());
        return { items: items.map(toHead), total, next };
      }),

    search: (query) =>
      database.read((connection) => {
        const filter = searchFilter(query, now());
        const { items, next } = listRows(connection, { ...LISTING, order: 'DESC', filter, page: query.page });
        return { items: items.map(toEntry), total: countRows(connection, 'memory', filter), next };
      }),

    delete: (namespace, key) =>
      database.write((connection) => {
        const row = find(connection, namespace, key);
        if (!row) return false;
        remove(connection, [row]);
        return isLive(row, now());
      }),

    deleteMany: (namespace, which) =>
      database.write((connection) => {
        const rows =
          'keys' in which
            ? [...new Set(which.keys)].map((key) => find(connection, namespace, key)).filter((row) => row !== undefined)
            : findByPrefix(connection, namespace, which.prefix);
        remove(connection, rows);
        return rows.filter((row) => isLive(row, now())).map(({ key }) => String(key));
      }),

    removeExpired: () =>
      database.write((connection) => {
        const expired = connection.all('SELECT seq, namespace FROM memory WHERE expires_at <= ? LIMIT ?', now(), SWEEP);
        remove(connection, expired);
        return expired.length === SWEEP;
      }),
  };
}

function put(connection: Connection, entry: NewEntry, now: number): MemoryHead {
  const { namespace, key, expectedVersion } = entry;
  const before = find(connection, namespace, key);
  const version = before && isLive(before, now) ? Number(before.version) : 0;
  if (expectedVersion !== undefined && expectedVersion !== version) {
    throw new ToolError('VERSION_CONFLICT', `${key} has version ${version}, not ${expectedVersion}`, {
      context: { key, namespace, expectedVersion, actualVersion: version },
    });
  }
  if (before) remove(connection, [before]);
  const head: MemoryHead = {
    namespace,
    key,
    sizeBytes: entry.sizeBytes,
    version: version + 1,
    storedAt: now,
    expiresAt: entry.ttlMs === undefined ? undefined : now + entry.ttlMs,
  };
  insert(connection, head, entry);
  return head;
}

function insert(connection: Connection, head: MemoryHead, { json, words }: NewEntry): void {
  const { namespace, key, version, storedAt, expiresAt, sizeBytes } = head;
  const { lastRow } = connection.run(
    'INSERT INTO memory (namespace, key, version, stored_at, expires_at, size, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[namespace, key, version, storedAt, expiresAt ?? null, sizeBytes, json],
  );
  connection.run('INSERT INTO memory_keys (rowid, key) VALUES (?, ?)', lastRow, key);
  if (words !== '') connection.run('INSERT INTO memory_words (rowid, words) VALUES (?, ?)', lastRow, words);
  addToCount(connection, namespace, 1);
  raise(connection, 'memory');
}

function remove(connection: Connection, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  for (const { seq = null, namespace } of rows) {
    connection.run('DELETE FROM memory WHERE seq = ?', seq);
    connection.run('DELETE FROM memory_keys WHERE rowid = ?', seq);
    connection.run('DELETE FROM memory_words WHERE rowid = ?', seq);
    addToCount(connection, String(namespace), -1);
  }
  raise(connection, 'memory');
}

const find = (connection: Connection, namespace: string, key: string): Row | undefined =>
  connection.get(
    'SELECT seq, namespace, key, version, expires_at FROM memory WHERE namespace = ? AND key = ?',
    namespace,
    key,
  );

function findByPrefix(connection: Connection, namespace: string, prefix: string): Row[] {
  const { where, values } = all([equals('namespace', namespace), beginningWith(prefix)]);
  return connection.all(`SELECT seq, namespace, key, expires_at FROM memory WHERE ${where}`, ...values);
}

const addToCount = (connection: Connection, namespace: string, entries: number): void =>
  void connection.run(
    'INSERT INTO memory_counts VALUES (?, ?) ON CONFLICT (namespace) DO UPDATE SET entries = entries + excluded.entries',
    namespace,
    entries,
  );

/** Counting a million rows takes long, so their number is kept; what has expired is in it until it is swept. */
function countAll(connection: Connection, namespace: string | undefined, now: number): number {
  const { where, values } = equals('namespace', namespace);
  const counted = connection.get(`SELECT sum(entries) AS entries FROM memory_counts WHERE ${where}`, ...values);
  const expired = all([equals('namespace', namespace), { where: 'expires_at <= ?', values: [now] }]);
  return Number(counted?.entries) - countRows(connection, 'memory', expired);
}

const isLive = ({ expires_at }: Row, now: number) => expires_at === null || Number(expires_at) > now;

const toHead = (row: Row): MemoryHead => ({
  namespace: String(row.namespace),
  key: String(row.key),
  sizeBytes: Number(row.size),
  version: Number(row.version),
  storedAt: Number(row.stored_at),
  expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
});

const toEntry = (row: Row): MemoryEntry => ({ ...toHead(row), json: String(row.value) });
