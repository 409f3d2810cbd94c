import { expect, onTestFinished, test } from 'vitest';
import { memoryResources } from './memory.js';
import { asked, emptyStores, readIn } from './testing.js';
import { expand } from './uri-template.js';

const ENTRY = 'memory://entries/{namespace}/{key}';

function entries() {
  const stores = emptyStores(onTestFinished);
  const source = memoryResources({ ...stores, stamp: () => stores.changes.stamp(['memory']) });
  const complete = (of: string, argument: string, typed: string, chosen = {}) =>
    source.complete?.({ of, argument, typed, chosen, principal: 'user' });
  return { ...stores, source, complete };
}

test('the collection is the newest hundred without values, and how many there are', async () => {
  const { put, source } = entries();
  expect(await readIn(source, 'memory://entries')).toEqual({ entries: [], total: 0, hasMore: false });
  for (let index = 0; index < 101; index++) await put(`key ${index}`, 'secret');
  const read = await readIn(source, 'memory://entries');
  expect([read.entries.length, read.total, read.hasMore]).toEqual([100, 101, true]);
  expect(read.entries[0]).toEqual({
    key: 'key 100',
    namespace: 'default',
    storedAt: '2026-01-01T12:00:00.000Z',
    size: 8,
    version: 1,
  });
  expect(JSON.stringify(read)).not.toContain('secret');
});

test('one entry has its value, version and times', async () => {
  const { put, source } = entries();
  await put('k', { a: [1, null] }, { ttlMs: 1000 });
  const whole = {
    key: 'k',
    namespace: 'default',
    value: { a: [1, null] },
    version: 1,
    size: 14,
    storedAt: '2026-01-01T12:00:00.000Z',
    expiresAt: '2026-01-01T12:00:01.000Z',
  };
  for (const uri of ['memory://entries/k', 'memory://entries/default/k']) {
    expect(await source.read(uri, asked())).toEqual([
      { uri, mimeType: 'application/json', text: expect.stringContaining('"value":{"a":[1,null]}') },
    ]);
    expect(await readIn(source, uri)).toEqual(whole);
  }
});

test.each(['a/b', '%2F', 'a b', 'größe 👋', '..', '.', '__proto__', 'constructor', '?', '#', '\n', '{key}'])(
  'an entry named %j is found by its URI, and nothing by another',
  async (name) => {
    const { put, source } = entries();
    await put(name, { [name]: 1 }, { namespace: name });
    await put(name, 'of the default');
    const uri = expand(ENTRY, { namespace: name, key: name });
    expect(await readIn(source, uri)).toMatchObject({ key: name, namespace: name, version: 1 });
    expect((await source.read(uri, asked()))?.[0]).toMatchObject({
      text: expect.stringContaining(`"value":${JSON.stringify({ [name]: 1 })}`),
    });
    expect(await readIn(source, expand('memory://entries/{key}', { key: name }))).toMatchObject({
      value: 'of the default',
    });
    expect(await readIn(source, expand(ENTRY, { namespace: name, key: `${name}x` }))).toBeUndefined();
  },
);

test('an entry without a value, such as null or an empty text, is one', async () => {
  const { put, source } = entries();
  await put('null', null);
  expect(await readIn(source, 'memory://entries/null')).toMatchObject({ value: null });
});

test('the stamp of a collection is another one after every change, and only then', async () => {
  const { put, memory, source } = entries();
  const stamp = () => source.stamp('memory://entries', 'user');
  const before = await stamp();
  await put('k');
  const stored = await stamp();
  expect(stored).not.toBe(before);
  expect(await stamp()).toBe(stored);
  await memory.delete('default', 'k');
  expect(await stamp()).not.toBe(stored);
});

test('the stamp of an entry follows it from before it exists until it expires', async () => {
  const { put, memory, source, clock } = entries();
  const stamp = () => source.stamp('memory://entries/k', 'user');
  const stamps = [await stamp()];
  await put('other');
  expect(await stamp()).toBe(stamps[0]);
  await put('k');
  stamps.push(await stamp());
  await put('k');
  stamps.push(await stamp());
  await memory.delete('default', 'k');
  expect(await stamp()).toBe(stamps[0]);
  clock.now += 1;
  await put('k', 2, { ttlMs: 10 });
  stamps.push(await stamp());
  clock.now += 10;
  expect(await stamp()).toBe(stamps[0]);
  expect(new Set(stamps).size).toBe(stamps.length);
});

test('what is none of these has neither content nor stamp', async () => {
  const { source } = entries();
  for (const uri of ['memory://conversations', 'memory://entries/a/b/c', 'memory://entries/%', 'sessions://active']) {
    expect([await source.read(uri, asked()), source.stamp(uri, 'user')]).toEqual([undefined, undefined]);
  }
});

test('namespaces and keys of the chosen namespace are completed', async () => {
  const { put, complete } = entries();
  for (const key of ['plan', 'plot', 'other']) await put(key);
  await put('place', 1, { namespace: 'team/a' });
  await put('plan', 1, { namespace: 'team/b' });
  expect(await complete(ENTRY, 'namespace', 'te')).toEqual(['team/a', 'team/b']);
  expect(await complete(ENTRY, 'key', 'pl', { namespace: 'team/a' })).toEqual(['place']);
  expect(await complete(ENTRY, 'key', 'pl')).toEqual(['plan', 'place', 'plot']);
  expect(await complete('memory://entries/{key}', 'key', 'pl')).toEqual(['plot', 'plan']);
  expect(await complete('memory://entries/{key}', 'namespace', '')).toEqual([]);
  expect(await complete(ENTRY, 'nonsense', '')).toEqual([]);
});

test('of many keys a hundred and one are named, so that there is known to be more', async () => {
  const { put, complete } = entries();
  for (let index = 0; index < 150; index++) await put(`k${index}`);
  expect(await complete(ENTRY, 'key', 'k', { namespace: 'default' })).toHaveLength(101);
});
