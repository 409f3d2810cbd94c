import { toNewEntry } from '@automatosx/memory-domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { Database } from './database.js';
import { type Connection, connect } from './driver.js';
import { sqliteMemoryStore } from './memory-store.js';
import { temporary } from './testing/temporary.js';

const { path, open, clear } = temporary();
afterEach(clear);

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const bad = (connection: Connection) => void connection.run('INSERT INTO changes (topic) VALUES (NULL)');

/** A store in which `k` is 1, for good. */
async function stored() {
  const database = open();
  const store = sqliteMemoryStore(database, Date.now);
  const put = (value: unknown) => store.put(toNewEntry({ namespace: 'default', key: 'k', value }));
  const get = async () => (await store.get('default', 'k'))?.json;
  await put(1);
  await nextTurn();
  expect(await get()).toBe('1');
  return { database, store, put, get };
}

/** Changes the value as another process would. */
const changeElsewhere = (json: string) => {
  const other = connect(path('automatosx.db'));
  other.run('UPDATE memory SET value = ?', json);
  other.close();
};

describe('an entry that was read is read anew', () => {
  test('after it was overwritten or deleted, in the same turn too', async () => {
    const { store, put, get } = await stored();
    await put(2);
    expect(await get()).toBe('2');
    await store.delete('default', 'k');
    expect(await get()).toBeUndefined();
  });

  test('after another process changed it', async () => {
    const { get } = await stored();
    await nextTurn();
    changeElsewhere('5');
    expect(await get()).toBe('5');
    await nextTurn();
    changeElsewhere('6');
    expect(await get()).toBe('6');
  });

  test('after another process changed it while the file was let go', async () => {
    const { database, get } = await stored();
    await database.close();
    changeElsewhere('5');
    expect(await get()).toBe('5');
  });
});

describe('what a turn wrote and another call read is forgotten when the turn is undone', () => {
  const undoings: Record<string, (database: Database, read: () => Promise<unknown>) => Promise<unknown>[]> = {
    'by an error before the read': (database, read) => [database.write(bad), read(), database.atCommit(() => {})],
    'by an error after the read': (database, read) => [read(), database.write(bad)],
    'by an error at the commit': (database, read) => [read(), database.atCommit(bad)],
    'by a bug at the commit': (database, read) => [
      read(),
      database.atCommit(() => {
        throw new TypeError('A bug');
      }),
    ],
  };

  test.each(Object.keys(undoings))('%s', async (name) => {
    const { database, put, get } = await stored();
    await put(2);
    await Promise.allSettled(undoings[name]?.(database, get) ?? []);
    await get();
    await nextTurn();
    expect(await get()).toBe('1');
  });
});

test('thousands of entries are given as they are', async () => {
  const { store } = await stored();
  const keys = Array.from({ length: 2500 }, (_, index) => `key ${index}`);
  await Promise.all(keys.map((key) => store.put(toNewEntry({ namespace: 'default', key, value: key }))));
  await nextTurn();
  for (let round = 0; round < 2; round++) {
    for (const key of keys) expect((await store.get('default', key))?.json).toBe(`"${key}"`);
  }
});
