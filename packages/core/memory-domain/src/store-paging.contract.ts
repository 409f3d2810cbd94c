import type { Listed, Page } from '@automatosx/contracts';
import { beforeEach, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';
import type { CreateMemory, MemoryWorld } from './store.contract.js';
import type { MemoryHead } from './store.js';

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `item ${from + index}`);

export function memoryPagingContract(create: CreateMemory): void {
  let world: MemoryWorld;
  beforeEach(() => {
    world = create();
  });
  const put = (key: string) => world.store.put(toNewEntry({ namespace: 'default', key, value: `word ${key}` }));
  const putAll = async (keys: readonly string[]) => {
    for (const key of keys) await put(key);
  };

  type Fetch = (page: Page) => Promise<Listed<MemoryHead>>;
  const queries: Record<string, Fetch> = {
    list: (page) => world.store.list({ page }),
    'list of a namespace': (page) => world.store.list({ namespace: 'default', page }),
    'list by prefix': (page) => world.store.list({ prefix: 'item', page }),
    'list by short prefix': (page) => world.store.list({ prefix: 'it', namespace: 'default', page }),
    'search in keys': (page) => world.store.search({ text: 'item', in: 'key', page }),
    'search in keys by two letters': (page) => world.store.search({ text: 'em', in: 'key', page }),
    'search in values': (page) => world.store.search({ text: 'word', in: 'value', page }),
    'search in both': (page) => world.store.search({ text: 'item', in: 'both', page }),
    'search in a namespace': (page) => world.store.search({ text: 'item', in: 'key', namespace: 'default', page }),
  };
  const isNewestFirst = (name: string) => name.startsWith('search');

  /** Every page in turn; `between` is done before each but the first. */
  const walk = async (fetch: Fetch, limit: number, between = async () => {}) => {
    const keys: string[] = [];
    let after: string | undefined;
    do {
      if (keys.length > 0) await between();
      const { items, next } = await fetch({ limit, offset: 0, after });
      keys.push(...items.map(({ key }) => key));
      after = next;
    } while (after !== undefined);
    return keys;
  };

  for (const [name, fetch] of Object.entries(queries)) {
    const ordered = (keys: string[]) => (isNewestFirst(name) ? keys.reverse() : keys);

    test(`${name}: pages of any size give every entry once, in order`, async () => {
      await putAll(names(0, 23));
      for (const limit of [1, 5, 22, 23, 24]) expect(await walk(fetch, limit)).toEqual(ordered(names(0, 23)));
    });

    test(`${name}: the last page has no next, and every page tells the total`, async () => {
      await putAll(names(0, 10));
      const first = await fetch({ limit: 5, offset: 0 });
      const last = await fetch({ limit: 5, offset: 0, after: first.next });
      expect([first.total, first.items.length, typeof first.next]).toEqual([10, 5, 'string']);
      expect([last.total, last.items.length, last.next]).toEqual([10, 5, undefined]);
      expect(await fetch({ limit: 10, offset: 0 })).toMatchObject({ total: 10, next: undefined });
    });

    test(`${name}: an offset skips as many, also beyond the end`, async () => {
      await putAll(names(0, 10));
      const keysAt = async (offset: number, limit: number) =>
        (await fetch({ offset, limit })).items.map(({ key }) => key);
      expect(await keysAt(3, 4)).toEqual(ordered(names(0, 10)).slice(3, 7));
      expect(await keysAt(9, 4)).toEqual(ordered(names(0, 10)).slice(9));
      expect(await fetch({ offset: 99, limit: 5 })).toMatchObject({ items: [], total: 10, next: undefined });
    });

    test(`${name}: entries added while paging come neither twice nor make others be left out`, async () => {
      await putAll(names(0, 12));
      let added = 100;
      const keys = await walk(fetch, 3, async () => {
        if (added < 104) await put(`item ${added++}`);
      });
      expect(new Set(keys).size).toBe(keys.length);
      const expected = isNewestFirst(name) ? names(0, 12).reverse() : [...names(0, 12), ...names(100, 104)];
      expect(keys).toEqual(expected);
    });
  }

  test('an entry added after the newest ones were deleted is still ahead of a cursor', async () => {
    await putAll(['item a', 'item b', 'item c']);
    const { next } = await world.store.list({ page: { limit: 2, offset: 0 } });
    await world.store.deleteMany('default', { keys: ['item b', 'item c'] });
    await put('item d');
    const rest = await world.store.list({ page: { limit: 2, offset: 0, after: next } });
    expect(rest.items.map(({ key }) => key)).toEqual(['item d']);
  });

  test('a place that nobody gave out is refused', async () => {
    await putAll(names(0, 3));
    for (const fetch of Object.values(queries)) {
      await expect(fetch({ limit: 3, offset: 0, after: 'nonsense' })).rejects.toMatchObject({
        toolCode: 'INVALID_CURSOR',
      });
    }
  });

  test('lists more than ten thousand matches in the same order as few', async () => {
    const count = 10_050;
    for (let from = 0; from < count; from += 1005) {
      await Promise.all(names(from, from + 1005).map(put));
    }
    for (const [name, fetch] of Object.entries(queries)) {
      const ordered = isNewestFirst(name) ? names(0, count).reverse() : names(0, count);
      const first = await fetch({ limit: 2, offset: 0 });
      const deep = await fetch({ limit: 2, offset: 5000, after: first.next });
      expect(first.items.map(({ key }) => key)).toEqual(ordered.slice(0, 2));
      expect(deep.items.map(({ key }) => key)).toEqual(ordered.slice(5002, 5004));
      expect(deep.total).toBe(count);
    }
  });
}
