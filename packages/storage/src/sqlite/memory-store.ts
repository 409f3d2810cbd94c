import { type Listed, ToolError } from '@automatosx/contracts';
import type { MemoryEntry, MemoryHead, MemoryStore, NewEntry } from '@automatosx/memory-domain';
import { raise } from './changes.js';
import type { Database } from './database.js';
import type { Connection, Row } from './driver.js';
import { ANY, all, beginningWith, countRows, equals, type Filter, type Listing, listRows } from './filter.js';
import { hotRows } from './hot-rows.js';
import { entries, type Match, matchingPrefix, matchingSearch, unexpired } from './memory-filter.js';

/** How many expired entries one transaction removes, so that no call waits long for it. */
const SWEEP = 500;

/** How many of the entries with a prefix are deleted before others are served. */
const DELETED_AT_ONCE = 1000;

/** Up to this many matches are put in order; of more, only those of the page are. */
const FEW = 10_000;

/** Larger values are read from the disk each time. */
const HOT_BYTES = 4096;

const HEAD_COLUMNS = 'seq, namespace, memory.key, version, stored_at, expires_at, size';

export function sqliteMemoryStore(database: Database, now: () => number): MemoryStore {
  const hot = hotRows<MemoryEntry>(database, ({ sizeBytes }) => sizeBytes <= HOT_BYTES);
  return {
    put: (entry) => database.write((connection) => put(connection, entry, now())),

    get: async (namespace, key) => {
      const entry = await hot(JSON.stringify([namespace, key]), (connection) => {
        const row = connection.get('SELECT * FROM memory WHERE namespace = ? AND key = ?', namespace, key);
        return row && toEntry(row);
      });
      return entry && (entry.expiresAt ?? Number.POSITIVE_INFINITY) > now() ? entry : undefined;
    },

    list: ({ namespace, prefix, first = 'oldest', page }) =>
      database.read((connection) => {
        const live = liveFilter(connection, now());
        const listing = { columns: HEAD_COLUMNS, order: first === 'oldest' ? 'ASC' : 'DESC', page } as const;
        const listed = prefix
          ? listMatches(connection, matchingPrefix({ namespace, prefix }, live), listing)
          : listAll(connection, { namespace, live, listing, now: now() });
        return { ...listed, items: listed.items.map(toHead) };
      }),

    namespaces: (prefix, limit) =>
      database.read((connection) => {
        const { where, values } = all([beginningWith(prefix, 'namespace'), { where: 'entries > 0', values: [] }]);
        const counted = `SELECT namespace FROM memory_counts WHERE ${where} ORDER BY namespace LIMIT ?`;
        return connection.all(counted, ...values, limit).map(({ namespace }) => String(namespace));
      }),

    search: ({ page, ...query }) =>
      database.read((connection) => {
        const match = matchingSearch(query, liveFilter(connection, now()));
        const columns = `${HEAD_COLUMNS}, value`;
        const listed = listMatches(connection, match, { columns, order: 'DESC', page });
        return { ...listed, items: listed.items.map(toEntry) };
      }),

    delete: (namespace, key) =>
      database.write((connection) => {
        const row = find(connection, namespace, key);
        if (!row) return false;
        remove(connection, [row]);
        return isLive(row, now());
      }),

    deleteMany: async (namespace, which, signal) => {
      const next = (connection: Connection) =>
        'keys' in which
          ? [...new Set(which.keys)].map((key) => find(connection, namespace, key)).filter((row) => row !== undefined)
          : findByPrefix(connection, namespace, which.prefix);
      const deleted: Row[] = [];
      for (;;) {
        const rows = await database.write((connection) => {
          const found = next(connection);
          remove(connection, found);
          return found;
        });
        deleted.push(...rows.filter((row) => isLive(row, now())));
        if ('keys' in which || rows.length < DELETED_AT_ONCE) break;
        await database.atCommit(() => {}); // The turn ends here, and others have theirs.
        signal?.throwIfAborted();
      }
      return deleted.map(({ key }) => String(key));
    },

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
  if (before) removeRow(connection, before);
  const head: MemoryHead = {
    namespace,
    key,
    sizeBytes: entry.sizeBytes,
    version: version + 1,
    storedAt: now,
    expiresAt: entry.ttlMs === undefined ? undefined : now + entry.ttlMs,
  };
  insert(connection, head, entry);
  if (!before) addToCount(connection, namespace, 1);
  raise(connection, 'memory');
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
}

function remove(connection: Connection, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  for (const row of rows) {
    removeRow(connection, row);
    addToCount(connection, String(row.namespace), -1);
  }
  raise(connection, 'memory');
}

function removeRow(connection: Connection, { seq = null }: Row): void {
  connection.run('DELETE FROM memory WHERE seq = ?', seq);
  connection.run('DELETE FROM memory_keys WHERE rowid = ?', seq);
  connection.run('DELETE FROM memory_words WHERE rowid = ?', seq);
}

const find = (connection: Connection, namespace: string, key: string): Row | undefined =>
  connection.get(
    'SELECT seq, namespace, key, version, expires_at FROM memory WHERE namespace = ? AND key = ?',
    namespace,
    key,
  );

function findByPrefix(connection: Connection, namespace: string, prefix: string): Row[] {
  const { where, values } = all([equals('namespace', namespace), beginningWith(prefix, 'memory.key')]);
  return connection.all(
    `SELECT seq, namespace, key, expires_at FROM memory WHERE ${where} LIMIT ?`,
    ...values,
    DELETED_AT_ONCE,
  );
}

const addToCount = (connection: Connection, namespace: string, entries: number): void =>
  void connection.run(
    'INSERT INTO memory_counts VALUES (?, ?) ON CONFLICT (namespace) DO UPDATE SET entries = entries + excluded.entries',
    namespace,
    entries,
  );

const liveFilter = (connection: Connection, now: number): Filter =>
  connection.get('SELECT 1 AS expired FROM memory WHERE expires_at <= ? LIMIT 1', now) ? unexpired(now) : ANY;

type Excerpt = Pick<Listing, 'columns' | 'order' | 'page'>;

function listMatches(connection: Connection, match: Match, excerpt: Excerpt): Listed<Row> {
  const total = countRows(connection, match.counted);
  if (total === 0) return { items: [], total };
  return { ...listRows(connection, { ...(total > FEW ? match.many : match.few), ...excerpt }), total };
}

interface ListRequest {
  readonly namespace: string | undefined;
  readonly live: Filter;
  readonly listing: Excerpt;
  readonly now: number;
}

/** Counting a million rows takes long, so their number is kept; what has expired is in it until it is swept. */
function listAll(connection: Connection, { namespace, live, listing, now }: ListRequest): Listed<Row> {
  const rows = listRows(connection, { ...entries(all([equals('namespace', namespace), live])), ...listing });
  const { where, values } = equals('namespace', namespace);
  const counted = connection.get(`SELECT sum(entries) AS entries FROM memory_counts WHERE ${where}`, ...values);
  // The plus keeps the planner from the index of the namespace, which may hold all there is.
  const expired = all([equals('+namespace', namespace), { where: 'expires_at <= ?', values: [now] }]);
  const total = Number(counted?.entries) - (live === ANY ? 0 : countRows(connection, entries(expired)));
  return { ...rows, total };
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
