import { toNewEntry } from '@automatosx/memory-domain';
import { afterEach, expect, test } from 'vitest';
import { sqliteChanges } from './changes.js';
import { sqliteMemoryStore } from './memory-store.js';
import { temporary } from './testing/temporary.js';

const { open, clear } = temporary();
afterEach(clear);

test('a stamp changes with its topics and with no others, in every process', async () => {
  const database = open();
  const store = sqliteMemoryStore(database, Date.now);
  const [here, there] = [sqliteChanges(database), sqliteChanges(open())];
  const stamps = async () => [await here.stamp(['memory', 'sessions']), await there.stamp(['memory'])];
  const before = await stamps();
  expect(await stamps()).toEqual(before);
  await store.put(toNewEntry({ namespace: 'default', key: 'k', value: 1 }));
  await database.atCommit(() => {});
  const after = await stamps();
  expect(after.map((stamp, index) => stamp === before[index])).toEqual([false, false]);
  expect(await here.stamp(['sessions'])).toBe('0');
});

test('deleting and sweeping are changes, and deleting nothing is none', async () => {
  const clock = { now: 1000 };
  const database = open();
  const store = sqliteMemoryStore(database, () => clock.now);
  const { stamp } = sqliteChanges(database);
  const isChange = async (work: () => Promise<unknown>) => {
    const before = await stamp(['memory']);
    await work();
    return before !== (await stamp(['memory']));
  };
  const put = (key: string) => store.put(toNewEntry({ namespace: 'default', key, value: 1, ttlMs: 10 }));
  expect(await isChange(() => put('a'))).toBe(true);
  expect(await isChange(() => put('b'))).toBe(true);
  expect(await isChange(() => store.delete('default', 'a'))).toBe(true);
  expect(await isChange(() => store.delete('default', 'a'))).toBe(false);
  expect(await isChange(() => store.removeExpired())).toBe(false);
  clock.now += 10;
  expect(await isChange(() => store.removeExpired())).toBe(true);
  expect(await isChange(() => store.deleteMany('default', { prefix: 'b' }))).toBe(false);
});
