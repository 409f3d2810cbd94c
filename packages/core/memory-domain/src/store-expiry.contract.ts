import { beforeEach, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';
import type { CreateMemory, MemoryWorld } from './store.contract.js';

const page = { limit: 100, offset: 0 };

export function memoryExpiryContract(create: CreateMemory): void {
  let world: MemoryWorld;
  beforeEach(() => {
    world = create();
  });
  const put = (
    key: string,
    options: { value?: unknown; namespace?: string; ttlMs?: number; expectedVersion?: number } = {},
  ) => world.store.put(toNewEntry({ namespace: 'default', value: 1, key, ...options }));
  const get = (key: string) => world.store.get('default', key);
  const keys = async () => (await world.store.list({ page })).items.map(({ key }) => key);
  const total = async (namespace?: string) => (await world.store.list({ namespace, page })).total;

  const found = async () => {
    const query = { page, text: 'brief', in: 'both' } as const;
    const { store } = world;
    const lists = [
      store.list({ page }),
      store.list({ page, namespace: 'default' }),
      store.list({ page, prefix: 'brief' }),
    ];
    const searches = [
      store.search(query),
      store.search({ ...query, in: 'key' }),
      store.search({ ...query, text: 'br', in: 'key' }),
    ];
    const all = await Promise.all([...lists, ...searches, store.search({ ...query, in: 'value', text: 'word' })]);
    return [(await get('brief')) === undefined ? 0 : 1, ...all.flatMap(({ items, total }) => [items.length, total])];
  };

  test('an entry is gone at the moment it expires, before anything is swept', async () => {
    await put('brief', { ttlMs: 1000, value: 'word' });
    world.clock.now += 999;
    expect(new Set(await found())).toEqual(new Set([1]));
    world.clock.now += 1;
    expect(new Set(await found())).toEqual(new Set([0]));
    expect(await world.store.delete('default', 'brief')).toBe(false);
  });

  test('sweeping removes what expired, and all counts stay right', async () => {
    await put('kept');
    await put('brief', { ttlMs: 1000, value: 'word' });
    await put('longer', { ttlMs: 2000, namespace: 'other' });
    world.clock.now += 1000;
    expect([await total(), await total('default'), await total('other')]).toEqual([2, 1, 1]);
    expect(await world.store.removeExpired()).toBe(false);
    expect([await total(), await total('default'), await total('other')]).toEqual([2, 1, 1]);
    expect(await keys()).toEqual(['kept', 'longer']);
  });

  test('many expired entries are swept a part at a time, until none is left', async () => {
    const count = 1201;
    await Promise.all(Array.from({ length: count }, (_, index) => put(`brief ${index}`, { ttlMs: 10 })));
    await put('kept');
    world.clock.now += 10;
    let sweeps = 1;
    while (await world.store.removeExpired()) sweeps += 1;
    expect(sweeps).toBeGreaterThan(1);
    expect([await total(), await keys()]).toEqual([1, ['kept']]);
  });

  test.each([true, false])('storing again after it expired is version 1 (swept: %s)', async (isSwept) => {
    await put('k', { ttlMs: 10 });
    await put('k', { ttlMs: 10 });
    world.clock.now += 10;
    if (isSwept) await world.store.removeExpired();
    expect((await put('k', { expectedVersion: 0 })).version).toBe(1);
    expect([await total(), await keys()]).toEqual([1, ['k']]);
  });

  test('storing again without it keeps the entry for good', async () => {
    await put('k', { ttlMs: 10 });
    expect((await put('k')).expiresAt).toBeUndefined();
    world.clock.now += 1e12;
    expect(await get('k')).toMatchObject({ version: 2 });
  });
}
