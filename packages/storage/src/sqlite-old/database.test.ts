import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { toNewEntry } from '@automatosx/memory-domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { type Connection, connect } from './driver.js';
import { sqliteMemoryStore } from './memory-store.js';
import { temporary } from './testing/temporary.js';

const { path, open, clear } = temporary();
afterEach(clear);

const modeOf = (file: string) => statSync(file).mode & 0o777;
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Stores an entry for good, or says why not. */
async function store(database: Database, key: string, value: unknown = 1): Promise<string> {
  await nextTurn();
  const stored = sqliteMemoryStore(database, Date.now).put(toNewEntry({ namespace: 'default', key, value }));
  return Promise.all([stored, database.atCommit(() => {})]).then(
    () => 'stored',
    (error) => `${error.code} ${error.toolCode}: ${error.message}`,
  );
}
const get = async (database: Database, key: string) => {
  await nextTurn();
  return (await sqliteMemoryStore(database, Date.now).get('default', key))?.json;
};
const unavailable = (reason: string) => `SERVICE_UNAVAILABLE STORAGE_UNAVAILABLE: ${reason}`;
const DAMAGED = 'The database file is damaged; it was left as it is. Put back a copy, or move it away to begin anew';
const FOREIGN = 'The database file was not made by AutomatosX; it was left as it is. Choose another data folder';

describe('a new database', () => {
  test('makes its folder and files for the user alone', async () => {
    const file = path('home/data/automatosx.db');
    const database = open({ file });
    expect(await store(database, 'k')).toBe('stored');
    expect([modeOf(path('home')), modeOf(path('home/data'))]).toEqual([0o700, 0o700]);
    const files = readdirSync(path('home/data')).sort();
    expect(files).toEqual(['automatosx.db', 'automatosx.db-shm', 'automatosx.db-wal']);
    expect(files.map((name) => modeOf(path(`home/data/${name}`)))).toEqual([0o600, 0o600, 0o600]);
  });

  test('leaves the mode of a folder that was there, and takes everybody else out of a file', async () => {
    mkdirSync(path('open'));
    chmodSync(path('open'), 0o755);
    const file = path('open/automatosx.db');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    expect(await store(open({ file }), 'k')).toBe('stored');
    expect([modeOf(path('open')), modeOf(file)]).toEqual([0o755, 0o600]);
  });

  test('is opened at the first use and not before', () => {
    open();
    expect(readdirSync(path('.'))).toEqual([]);
  });

  test('is as durable as the configuration says when it is opened', async () => {
    const synchronous = (connection: Connection) => connection.get('PRAGMA synchronous')?.synchronous;
    expect(await open().read(synchronous)).toBe(1);
    expect(await open({ synchronous: () => 'full' }).read(synchronous)).toBe(2);
  });

  test('holds all in one file after it was closed, and may be used again', async () => {
    const database = open();
    await store(database, 'kept', 'value');
    await database.close();
    copyFileSync(path('automatosx.db'), path('copy.db'));
    expect(await get(open({ file: path('copy.db') }), 'kept')).toBe('"value"');
    expect(await get(database, 'kept')).toBe('"value"');
  });
});

describe('a file that is not ours', () => {
  const foreign: Record<string, (file: string) => void> = {
    'a text': (file) => writeFileSync(file, 'Dear diary, '.repeat(1000)),
    'a short text': (file) => writeFileSync(file, 'hi'),
    "another program's database": (file) => fillForeign(file, 'CREATE TABLE notes (a); INSERT INTO notes VALUES (1)'),
    'one in WAL mode': (file) => fillForeign(file, 'PRAGMA journal_mode = WAL; CREATE TABLE notes (a)'),
    'one with a mark of its own': (file) => fillForeign(file, 'PRAGMA application_id = 7; PRAGMA user_version = 1'),
  };
  const fillForeign = (file: string, sql: string) => {
    const connection = connect(file);
    connection.exec(sql);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
  };

  test.each(Object.keys(foreign))('%s is refused and left as it is, mode and all', async (kind) => {
    const file = path('automatosx.db');
    foreign[kind]?.(file);
    chmodSync(file, 0o640);
    const before = hashOf(file);
    const database = open();
    expect(await store(database, 'k')).toBe(unavailable(FOREIGN));
    expect(await store(database, 'k')).toBe(unavailable(FOREIGN));
    await database.close();
    expect([hashOf(file), modeOf(file)]).toEqual([before, 0o640]);
  });

  test('is no longer in the way once it is moved away', async () => {
    writeFileSync(path('automatosx.db'), 'Dear diary, '.repeat(1000));
    const database = open();
    expect(await store(database, 'k')).toBe(unavailable(FOREIGN));
    rmSync(path('automatosx.db'));
    expect(await store(database, 'k')).toBe('stored');
  });

  test('a folder of its name, or a file in place of its folder, is a clear error until it is gone', async () => {
    mkdirSync(path('automatosx.db'));
    writeFileSync(path('file'), '');
    const databases = [open(), open({ file: path('file/automatosx.db') })];
    for (const database of databases) {
      expect(await store(database, 'k')).toBe(unavailable('The database file cannot be opened in the data folder'));
    }
    rmSync(path('automatosx.db'), { recursive: true });
    rmSync(path('file'));
    for (const database of databases) expect(await store(database, 'k')).toBe('stored');
  });
});

describe('a damaged file', () => {
  /** A database of several hundred pages, of which those in the middle are overwritten; and a copy from before. */
  async function damaged(): Promise<string> {
    const file = path('automatosx.db');
    const database = open();
    for (let index = 0; index < 50; index++) await store(database, `key ${index}`, 'text '.repeat(5000));
    await database.close();
    copyFileSync(file, path('copy.db'));
    const bytes = readFileSync(file);
    rmSync(file);
    bytes.fill(0xa5, 8192, bytes.length - 4096);
    writeFileSync(file, bytes);
    return file;
  }

  test('is told in words that tell nothing of the host, and its bytes stay', async () => {
    const file = await damaged();
    const before = hashOf(file);
    const heard: unknown[] = [];
    const database = open({ log: (_, error) => heard.push(error) });
    expect(await store(database, 'new', 'text')).toBe(unavailable(DAMAGED));
    const read = sqliteMemoryStore(database, Date.now).list({ prefix: 'key', page: { limit: 5, offset: 0 } });
    await expect(read).rejects.toMatchObject({ message: DAMAGED, toolCode: 'STORAGE_UNAVAILABLE' });
    await database.close();
    expect(hashOf(file)).toBe(before);
    expect(heard.length).toBeGreaterThan(0);
  });

  test('works again as soon as a copy is put back, without a restart', async () => {
    const file = await damaged();
    const database = open();
    expect(await store(database, 'new')).toBe(unavailable(DAMAGED));
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    copyFileSync(path('copy.db'), file);
    expect(await store(database, 'new')).toBe('stored');
    expect(await get(database, 'key 7')).toBe(JSON.stringify('text '.repeat(5000)));
  });
});

describe('a full disk', () => {
  const limitTo = (database: Database, pages: number) =>
    database.read((connection) => connection.exec(`PRAGMA max_page_count = ${pages}`));

  test('is a clear error that leaves what was stored, and works again when there is room', async () => {
    const database = open();
    expect(await store(database, 'kept', 'old')).toBe('stored');
    await nextTurn();
    await limitTo(database, 1);
    const outcomes: string[] = [];
    for (let index = 0; index < 5; index++) outcomes.push(await store(database, `k ${index}`, 'x'.repeat(90_000)));
    expect(outcomes).toEqual(Array(5).fill(unavailable('The disk is full')));
    expect(await get(database, 'kept')).toBe('"old"');
    const { total } = await sqliteMemoryStore(database, Date.now).list({ page: { limit: 9, offset: 0 } });
    expect(total).toBe(1);
    await limitTo(database, 1_000_000);
    expect(await store(database, 'k', 'x'.repeat(90_000))).toBe('stored');
    expect(await database.read((connection) => connection.get('PRAGMA integrity_check'))).toMatchObject({
      integrity_check: 'ok',
    });
  });
});
