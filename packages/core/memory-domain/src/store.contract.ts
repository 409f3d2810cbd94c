import type { Page } from '@automatosx/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';
import type { MemoryStore } from './store.js';
import { memoryExpiryContract } from './store-expiry.contract.js';
import { memoryModelContract } from './store-model.contract.js';
import { memoryPagingContract } from './store-paging.contract.js';
import { memorySearchContract } from './store-search.contract.js';

/** An empty store, and the time that it goes by, in milliseconds. */
export interface MemoryWorld {
  readonly store: MemoryStore;
  readonly clock: { now: number };
}

export type CreateMemory = () => MemoryWorld;

const page = { limit: 100, offset: 0 };

/** What every adapter of the memory port keeps. */
export function memoryStoreContract(create: CreateMemory): void {
  let world: MemoryWorld;
  beforeEach(() => {
    world = create();
  });
  const put = (
    key: string,
    options: { value?: unknown; namespace?: string; ttlMs?: number; expectedVersion?: number } = {},
  ) => world.store.put(toNewEntry({ namespace: 'default', value: 1, key, ...options }));
  const get = (key: string, namespace = 'default') => world.store.get(namespace, key);
  const keys = async (query: { namespace?: string; prefix?: string } = {}) =>
    (await world.store.list({ ...query, page })).items.map(({ key }) => key);
  const total = async (namespace?: string) => (await world.store.list({ namespace, page })).total;

  describe('keeping', () => {
    test('gives back what was stored, with version, size and time', async () => {
      const value = { text: 'grüße 👋', list: [1, null, true], deep: { a: [] } };
      const stored = await put('greeting', { value, ttlMs: 500 });
      const head = { namespace: 'default', key: 'greeting', version: 1, storedAt: world.clock.now };
      const sizeBytes = Buffer.byteLength(JSON.stringify(value));
      expect(stored).toEqual({ ...head, sizeBytes, expiresAt: world.clock.now + 500 });
      expect(await get('greeting')).toEqual({ ...stored, json: JSON.stringify(value) });
      expect((await world.store.list({ page })).items).toEqual([stored]);
    });

    test('a key that is not there, or only in another namespace or case, is undefined', async () => {
      await put('key', { namespace: 'other' });
      expect([await get('key'), await get('Key', 'other'), await get('', 'other')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    test('keeps the largest value whole', async () => {
      const value = 'ü'.repeat(51_199);
      await put('large', { value });
      expect((await get('large'))?.json).toBe(JSON.stringify(value));
    });

    test.each(['__proto__', 'constructor', 'toString', ' ', "a'b", 'a"b', 'a;--', 'a%b_c', '\u{1F600}', '\n'])(
      'the name %j is like any other',
      async (name) => {
        await put(name, { namespace: name, value: { [name]: 1 } });
        expect((await get(name, name))?.json).toBe(JSON.stringify({ [name]: 1 }));
        expect(await keys({ namespace: name })).toEqual([name]);
        expect(await world.store.delete(name, name)).toBe(true);
      },
    );
  });

  describe('listing', () => {
    test('INV-MCP-MEM-001: lists the oldest write first, and overwriting moves a key to the end', async () => {
      for (const key of ['b', 'a', 'c']) await put(key);
      expect(await keys()).toEqual(['b', 'a', 'c']);
      await put('b');
      expect(await keys()).toEqual(['a', 'c', 'b']);
      await put('b');
      expect(await keys()).toEqual(['a', 'c', 'b']);
    });

    test('INV-MCP-MEM-001: the order is that of writing also when the clock is set back', async () => {
      await put('first');
      world.clock.now -= 3_600_000;
      await put('second');
      expect(await keys()).toEqual(['first', 'second']);
    });

    test('INV-MCP-MEM-002: a namespace is matched as a whole', async () => {
      for (const namespace of ['team', 'team-a', 'Team', 'tea', 'te%m']) await put(`in ${namespace}`, { namespace });
      expect(await keys({ namespace: 'team' })).toEqual(['in team']);
      expect(await total('team')).toBe(1);
      expect(await keys({ namespace: 'te%m' })).toEqual(['in te%m']);
      expect(await keys({ namespace: 'missing' })).toEqual([]);
      expect(await total()).toBe(5);
    });

    test('INV-MCP-MEM-003: a prefix tells upper from lower case', async () => {
      for (const key of ['User/1', 'user/1', 'USER/1', 'us']) await put(key);
      expect(await keys({ prefix: 'user' })).toEqual(['user/1']);
      expect(await keys({ prefix: 'U' })).toEqual(['User/1', 'USER/1']);
    });

    test.each([
      ['%', '%a', 'a%'],
      ['_x', '_xy', 'axy'],
      ['"AND"', '"AND" b', 'b "AND"'],
      ['a*', 'a*b', 'ab'],
      ["'; --", "'; -- x", '; --'],
      ['NEAR(', 'NEAR(1)', 'NEAR'],
      ['\u{1F600}\u{1F601}', '\u{1F600}\u{1F601}!', '\u{1F600}\u{1F602}'],
      ['\u{1F600}', '\u{1F600}', '\u{1F601}'],
      ['漢字', '漢字かな', '漢'],
      ['\uD7FF', '\uD7FFx', '\uE000x'],
      ['x\u{10FFFF}', 'x\u{10FFFF}y', 'xy'],
      ['\u{10FFFF}', '\u{10FFFF}z', '\u{10FFFE}z'],
    ])('the prefix %j finds %j and not %j', async (prefix, found, other) => {
      for (const key of [other, found, prefix]) await put(key);
      expect(await keys({ prefix })).toEqual([...new Set([found, prefix])]);
      expect(await keys({ prefix, namespace: 'default' })).toEqual([...new Set([found, prefix])]);
    });

    test('the last of all characters after a prefix still begins with it', async () => {
      await put('pre\u{10FFFF}');
      expect(await keys({ prefix: 'pre' })).toEqual(['pre\u{10FFFF}']);
    });

    test('a prefix in one namespace finds nothing of another, and an empty one finds all', async () => {
      await put('task/1', { namespace: 'a' });
      await put('task/2', { namespace: 'b' });
      expect(await keys({ prefix: 'task/', namespace: 'b' })).toEqual(['task/2']);
      expect(await keys({ prefix: 'task/' })).toEqual(['task/1', 'task/2']);
      expect(await keys({ prefix: '' })).toEqual(['task/1', 'task/2']);
    });

    test('a prefix with a NUL finds nothing and is no error', async () => {
      await put('abc');
      expect(await world.store.list({ prefix: 'a\0bc', page })).toMatchObject({ items: [], total: 0 });
    });
  });

  describe('what a person looks for', () => {
    test('lists the newest write first if asked to, page by page', async () => {
      for (const key of ['a', 'b', 'ab', 'c']) await put(key);
      await put('a');
      const newest = async (query: { namespace?: string; prefix?: string; page: Page }) =>
        world.store.list({ ...query, first: 'newest' });
      const first = await newest({ page: { limit: 3, offset: 0 } });
      expect([first.items.map(({ key }) => key), first.total]).toEqual([['a', 'c', 'ab'], 4]);
      const rest = await newest({ page: { limit: 3, offset: 0, after: first.next } });
      expect(rest.items.map(({ key }) => key)).toEqual(['b']);
      expect((await newest({ prefix: 'a', page })).items.map(({ key }) => key)).toEqual(['a', 'ab']);
      expect((await newest({ namespace: 'other', page })).items).toEqual([]);
    });

    test('names the namespaces that begin with a text, in the order of their names', async () => {
      for (const namespace of ['team/b', 'Team', 'team/a', 'te%m', '\u{10FFFF}']) await put('k', { namespace });
      await put('second', { namespace: 'team/a' });
      const all = ['Team', 'te%m', 'team/a', 'team/b', '\u{10FFFF}'];
      expect(await world.store.namespaces('', 10)).toEqual(all);
      expect(await world.store.namespaces('', 2)).toEqual(all.slice(0, 2));
      expect(await world.store.namespaces('team', 10)).toEqual(['team/a', 'team/b']);
      expect(await world.store.namespaces('\u{10FFFF}', 10)).toEqual(['\u{10FFFF}']);
      expect(await world.store.namespaces('te_m', 10)).toEqual([]);
      expect(await world.store.namespaces('te\0', 10)).toEqual([]);
    });

    test('a namespace is named as long as something is in it', async () => {
      await put('k', { namespace: 'emptied' });
      await put('brief', { namespace: 'expiring', ttlMs: 5 });
      await world.store.delete('emptied', 'k');
      expect(await world.store.namespaces('', 10)).toEqual(['expiring']);
      world.clock.now += 5;
      await world.store.removeExpired();
      expect(await world.store.namespaces('', 10)).toEqual([]);
    });
  });

  describe('versions', () => {
    test('begin at one and grow with every write', async () => {
      const versions = [await put('k'), await put('k'), await put('k')].map(({ version }) => version);
      expect(versions).toEqual([1, 2, 3]);
      expect((await get('k'))?.version).toBe(3);
    });

    test('an expected version that is still the one is overwritten', async () => {
      expect((await put('k', { expectedVersion: 0 })).version).toBe(1);
      expect((await put('k', { expectedVersion: 1 })).version).toBe(2);
    });

    test.each([0, 1, 3])(
      'where version 2 is stored, %d is a conflict, and nothing has changed',
      async (expectedVersion) => {
        await put('k', { value: 'old' });
        await put('k', { value: 'kept' });
        await put('last');
        const conflict = put('k', { value: 'lost', expectedVersion });
        await expect(conflict).rejects.toMatchObject({ code: 'CONFLICT', toolCode: 'VERSION_CONFLICT' });
        await expect(conflict).rejects.toMatchObject({
          context: { key: 'k', namespace: 'default', expectedVersion, actualVersion: 2 },
        });
        expect(await get('k')).toMatchObject({ json: '"kept"', version: 2 });
        expect(await keys()).toEqual(['k', 'last']);
        expect(await total()).toBe(2);
      },
    );

    test('of many that expect the same version at once, one wins', async () => {
      const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => put('k', { expectedVersion: 0 })));
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await get('k'))?.version).toBe(1);
    });

    test('a key that was deleted begins anew', async () => {
      await put('k');
      await world.store.delete('default', 'k');
      await expect(put('k', { expectedVersion: 1 })).rejects.toMatchObject({ toolCode: 'VERSION_CONFLICT' });
      expect((await put('k', { expectedVersion: 0 })).version).toBe(1);
    });
  });

  describe('deleting', () => {
    test('INV-MCP-MEM-004: deleting what is not there is false, also the second time', async () => {
      await put('k');
      await put('k', { namespace: 'other' });
      const deleted = [1, 2, 3].map(() => world.store.delete('default', 'k'));
      expect(await Promise.all(deleted)).toEqual([true, false, false]);
      expect(await world.store.delete('missing', 'k')).toBe(false);
      expect([await total(), await get('k'), (await get('k', 'other'))?.version]).toEqual([1, undefined, 1]);
    });

    test('many keys are deleted once each, and those that were there are told', async () => {
      for (const key of ['a', 'b', 'c', '__proto__']) await put(key);
      await put('a', { namespace: 'other' });
      const which = { keys: ['c', 'a', 'missing', 'c', 'a', '__proto__', 'constructor'] };
      expect(await world.store.deleteMany('default', which)).toEqual(['c', 'a', '__proto__']);
      expect(await world.store.deleteMany('default', which)).toEqual([]);
      expect([await keys(), await total(), await total('default')]).toEqual([['b', 'a'], 2, 1]);
    });

    test('a prefix deletes what begins with it, in one namespace and case', async () => {
      for (const key of ['log/1', 'Log/1', 'log', 'log/\u{1F600}', 'log/\u{10FFFF}', 'blog/1']) await put(key);
      await put('log/9', { namespace: 'other' });
      const deleted = await world.store.deleteMany('default', { prefix: 'log/' });
      expect([...deleted].sort()).toEqual(['log/1', 'log/\u{1F600}', 'log/\u{10FFFF}'].sort());
      expect([await keys(), await total('default')]).toEqual([['Log/1', 'log', 'blog/1', 'log/9'], 3]);
    });

    test('what has expired is not told among the deleted', async () => {
      await put('a', { ttlMs: 5 });
      await put('b');
      world.clock.now += 5;
      expect(await world.store.deleteMany('default', { keys: ['a', 'b'] })).toEqual(['b']);
      expect(await total()).toBe(0);
    });
  });

  describe('time to live', () => memoryExpiryContract(create));
  describe('searching', () => memorySearchContract(create));
  describe('paging', () => memoryPagingContract(create));
  describe('any order of operations', () => memoryModelContract(create));
}
