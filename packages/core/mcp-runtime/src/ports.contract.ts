import { beforeEach, describe, expect, test } from 'vitest';
import type { ArtifactStore, IdempotencyStore } from './ports.js';

export { taskStoreContract } from './task-store.contract.js';

const DAY_MS = 86_400_000;
const MAX_BYTES = 67_108_864;

/** An empty store, and the time that it goes by, in milliseconds. */
export interface World<Store> {
  readonly store: Store;
  readonly clock: { now: number };
  /** The same data, opened anew. */
  reopened(): Store;
}

/** What every adapter of the idempotency port keeps. */
export function idempotencyStoreContract(create: () => World<IdempotencyStore>): void {
  const key = { principal: 'user', tool: 'memory_store', key: 'k-1' };
  let world: World<IdempotencyStore>;
  let store: IdempotencyStore;
  beforeEach(() => {
    world = create();
    ({ store } = world);
  });

  test('the first to claim a key has it, and others are told that it runs', async () => {
    expect(await store.claim(key, 'hash')).toEqual({ state: 'claimed' });
    expect(await store.claim(key, 'hash')).toEqual({ state: 'running' });
    expect(await world.reopened().claim(key, 'hash')).toEqual({ state: 'running' });
  });

  test('of many that claim at once, one gets it', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(key, 'hash')));
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
  });

  test('the answer of a call that completed is given again, also after a restart', async () => {
    await store.claim(key, 'hash');
    await store.complete(key, '{"text":"ü 👋"}');
    const replayed = { state: 'completed', answer: '{"text":"ü 👋"}' };
    expect(await store.claim(key, 'hash')).toEqual(replayed);
    expect(await world.reopened().claim(key, 'hash')).toEqual(replayed);
  });

  test('other arguments do not match, while the first call runs and after it', async () => {
    await store.claim(key, 'hash');
    expect(await store.claim(key, 'other')).toEqual({ state: 'mismatch' });
    await store.complete(key, '1');
    expect(await store.claim(key, 'other')).toEqual({ state: 'mismatch' });
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
  });

  test('a key that was given back may be claimed again, also with other arguments', async () => {
    await store.claim(key, 'hash');
    await store.release(key);
    expect(await store.claim(key, 'other')).toEqual({ state: 'claimed' });
  });

  test('an answer that was kept is not given back', async () => {
    await store.claim(key, 'hash');
    await store.complete(key, '1');
    await store.release(key);
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
  });

  test('completing or giving back what nobody claimed does nothing', async () => {
    await store.complete(key, '1');
    await store.release(key);
    expect(await store.claim(key, 'hash')).toEqual({ state: 'claimed' });
  });

  test.each([
    { ...key, principal: 'bob' },
    { ...key, tool: 'memory_delete' },
    { ...key, key: 'K-1' },
    { ...key, key: '__proto__' },
  ])('%j is another key', async (other) => {
    await store.claim(key, 'hash');
    await store.complete(key, '1');
    expect(await store.claim(other, 'hash')).toEqual({ state: 'claimed' });
    await store.release(other);
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
  });

  test('an answer is honoured for 24 hours and not longer', async () => {
    await store.claim(key, 'hash');
    await store.complete(key, '1');
    world.clock.now += DAY_MS;
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
    world.clock.now += 1;
    expect(await store.claim(key, 'other')).toEqual({ state: 'claimed' });
    expect(await store.claim(key, 'other')).toEqual({ state: 'running' });
  });

  test('an answer is still honoured when the clock is set back', async () => {
    await store.claim(key, 'hash');
    await store.complete(key, '1');
    world.clock.now -= DAY_MS;
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
  });

  test('sweeping removes what is too old, a part at a time, and nothing else', async () => {
    const old = Array.from({ length: 1100 }, (_, index) => ({ ...key, key: `old ${index}` }));
    await Promise.all(old.map((each) => store.claim(each, 'hash')));
    world.clock.now += DAY_MS + 1;
    await store.claim(key, 'hash');
    await store.complete(key, '1');
    let sweeps = 1;
    while (await store.removeExpired()) sweeps += 1;
    expect(sweeps).toBeGreaterThan(1);
    world.clock.now -= DAY_MS; // Now those that were removed would be honoured, were they still there.
    expect(await store.claim({ ...key, key: 'old 7' }, 'other')).toEqual({ state: 'claimed' });
    expect(await store.claim(key, 'hash')).toEqual({ state: 'completed', answer: '1' });
  });
}

/** What every adapter of the artifact port keeps. */
export function artifactStoreContract(create: () => World<ArtifactStore>): void {
  let world: World<ArtifactStore>;
  let store: ArtifactStore;
  beforeEach(() => {
    world = create();
    ({ store } = world);
  });
  const add = async (body: string, principal = 'user') => (await store.add(principal, body)) ?? 'none';
  const read = (id: string, offset = 0, length = 1_000_000) => store.read('user', id, { offset, length });

  test('gives back the text, also after a restart', async () => {
    const id = await add('{"data":"ü"}');
    const whole = { text: '{"data":"ü"}', totalLength: 12 };
    expect(await read(id)).toEqual(whole);
    expect(await world.reopened().read('user', id, { offset: 0, length: 100 })).toEqual(whole);
  });

  test('keeps equal texts apart and an empty one too', async () => {
    const ids = [await add('same'), await add('same'), await add('')];
    expect(new Set(ids).size).toBe(3);
    expect(await read(ids[2] as string)).toEqual({ text: '', totalLength: 0 });
  });

  describe('ranges', () => {
    const body = 'a\u{1F600}b漢\u{1F601}é';

    test.each([
      [0, 1, 'a'],
      [1, 1, '\u{1F600}'],
      [1, 3, '\u{1F600}b漢'],
      [4, 100, '\u{1F601}é'],
      [6, 5, ''],
      [99, 5, ''],
      [2, 0, ''],
    ])('from %d, %d long, is %j', async (offset, length, text) => {
      expect(await read(await add(body), offset, length)).toEqual({ text, totalLength: 6 });
    });

    test('one after the other give the whole, whatever their length', async () => {
      const long = body.repeat(50);
      const id = await add(long);
      for (const length of [1, 7, 299, 300]) {
        let text = '';
        for (let offset = 0; offset < 300; offset += length) text += (await read(id, offset, length))?.text;
        expect(text).toBe(long);
      }
    });
  });

  test('belongs to its principal alone', async () => {
    const id = await add('secret', 'bob');
    expect(await read(id)).toBeUndefined();
    expect(await store.read('bob', id, { offset: 0, length: 9 })).toMatchObject({ text: 'secret' });
    expect([await read('missing'), await read('__proto__')]).toEqual([undefined, undefined]);
  });

  test('is gone after 24 hours, before anything is swept', async () => {
    const id = await add('text');
    world.clock.now += DAY_MS - 1;
    expect(await read(id)).toBeDefined();
    world.clock.now += 1;
    expect(await read(id)).toBeUndefined();
  });

  test('sweeping removes what has expired, a part at a time, and nothing else', async () => {
    for (let count = 0; count < 45; count++) await add(`old ${count}`);
    world.clock.now += DAY_MS;
    const young = await add('young');
    let sweeps = 1;
    while (await store.removeExpired()) sweeps += 1;
    expect(sweeps).toBeGreaterThan(1);
    world.clock.now -= 1; // Now those that were removed would not have expired, were they still there.
    expect(await read(young)).toMatchObject({ text: 'young' });
    expect(await store.removeExpired()).toBe(false);
  });

  test('holds 64 MiB each, counted in bytes, and 256 MB in all: the oldest make room', async () => {
    const largest = 'x'.repeat(MAX_BYTES);
    expect(await store.add('user', `${'ü'.repeat(MAX_BYTES / 2)}x`)).toBeUndefined();
    const small = await add('small');
    world.clock.now -= DAY_MS / 2; // The oldest is the one that came first, whatever the clock says.
    const ids = [];
    for (let count = 0; count < 4; count++) ids.push(await add(largest));
    const lengths = await Promise.all([small, ...ids].map(async (id) => (await read(id, 0, 1))?.totalLength));
    expect(lengths).toEqual([undefined, undefined, ...Array(3).fill(MAX_BYTES)]);
  });
}
