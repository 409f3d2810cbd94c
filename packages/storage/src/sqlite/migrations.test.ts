import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from './driver.js';
import { MIGRATIONS, migrate } from './migrations.js';
import { children } from './testing/children.js';
import { temporary } from './testing/temporary.js';

const { path, open, clear } = temporary();
const processes = children(build);
beforeAll(processes.prepare);
afterAll(processes.remove);
afterEach(processes.clear);
afterEach(clear);

const STEPS = [
  'CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES (1)',
  'ALTER TABLE notes ADD COLUMN b TEXT; UPDATE notes SET b = a + 1',
  "INSERT INTO notes VALUES ('last', 'step')",
];
const versionOf = (connection: Connection) => connection.get('PRAGMA user_version')?.user_version;
const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
const checkpoint = (connection: Connection) => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
const tablesOf = (connection: Connection) =>
  connection.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name);

describe('migrate', () => {
  test('brings an empty file to the newest version, marks it as ours and turns WAL on', () => {
    const connection = connect(path('new.db'));
    migrate(connection, STEPS);
    expect(versionOf(connection)).toBe(3);
    expect(connection.get('PRAGMA application_id')?.application_id).toBe(0x41584442);
    expect(connection.get('PRAGMA journal_mode')?.journal_mode).toBe('wal');
    expect(connection.get('PRAGMA auto_vacuum')?.auto_vacuum).toBe(2);
    expect(connection.all('SELECT a, b FROM notes')).toMatchObject([
      { a: '1', b: '2' },
      { a: 'last', b: 'step' },
    ]);
  });

  test.each([0, 1, 2, 3])('brings version %d to the newest, with what it holds, and only once', (version) => {
    const connection = connect(path('old.db'));
    if (version > 0) migrate(connection, STEPS.slice(0, version));
    migrate(connection, STEPS);
    migrate(connection, STEPS);
    expect([versionOf(connection), connection.all('SELECT * FROM notes').length]).toEqual([3, 2]);
  });

  test.each([0, 1])('a step that fails leaves version %d as it was', (version) => {
    const file = path('old.db');
    const connection = connect(file);
    if (version > 0) migrate(connection, STEPS.slice(0, version));
    checkpoint(connection);
    const before = [versionOf(connection), tablesOf(connection)];
    const hash = hashOf(file);
    const steps = [...STEPS.slice(0, 2), 'CREATE TABLE more (a); INSERT INTO nowhere VALUES (1)'];
    expect(() => migrate(connection, steps)).toThrow('nowhere');
    expect([versionOf(connection), tablesOf(connection)]).toEqual(before);
    if (version > 0) expect(hashOf(file)).toBe(hash);
    migrate(connection, STEPS);
    expect(versionOf(connection)).toBe(3);
  });

  test('a database of a newer version is refused and left as it is', async () => {
    const connection = connect(path('automatosx.db'));
    migrate(connection);
    connection.exec('PRAGMA user_version = 99');
    checkpoint(connection);
    connection.close();
    const before = hashOf(path('automatosx.db'));
    const database = open();
    for (const attempt of [database.read(versionOf), database.write(versionOf)]) {
      await expect(attempt).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        toolCode: 'STORAGE_UNAVAILABLE',
        message: 'The database was written by a newer version of AutomatosX; update this one',
      });
    }
    await database.close();
    expect(hashOf(path('automatosx.db'))).toBe(before);
  });

  test('an empty file that somebody made is taken for a new one', async () => {
    writeFileSync(path('automatosx.db'), '');
    expect(await open().read(versionOf)).toBe(MIGRATIONS.length);
  });
});

test('several processes may bring the same file to the newest version at once', async () => {
  for (let round = 0; round < 2; round++) {
    const file = path(`round ${round}.db`);
    const visitors = Array.from({ length: 4 }, () => processes.start('visit', file));
    const outcomes = await Promise.all(visitors.map((visitor) => visitor.line()));
    expect(outcomes).toEqual(Array(4).fill('stored'));
    const database = open({ file });
    expect(await database.read(versionOf)).toBe(MIGRATIONS.length);
    expect((await database.read((connection) => connection.get('PRAGMA integrity_check')))?.integrity_check).toBe('ok');
  }
});
