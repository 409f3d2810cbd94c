import { beforeEach, expect, test } from 'vitest';
import { toNewEntry } from './entry.js';
import type { CreateMemory, MemoryWorld } from './store.contract.js';

const OPERATIONS = 2000;
const page = { limit: 1000, offset: 0 };
const NAMESPACES = ['default', 'other', 'Default'];

interface ModelEntry {
  readonly namespace: string;
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly expiresAt: number;
}

/** The same store, written to be obviously right: one array in the order of writing. */
class Model {
  entries: ModelEntry[] = [];

  live(now: number, namespace?: string): ModelEntry[] {
    const isHere = (entry: ModelEntry) => namespace === undefined || entry.namespace === namespace;
    return this.entries.filter((entry) => entry.expiresAt > now && isHere(entry));
  }

  put(entry: Omit<ModelEntry, 'version'>, now: number): number {
    const isSame = ({ namespace, key }: ModelEntry) => namespace === entry.namespace && key === entry.key;
    const version = (this.live(now).find(isSame)?.version ?? 0) + 1;
    this.entries = [...this.entries.filter((other) => !isSame(other)), { ...entry, version }];
    return version;
  }

  delete(now: number, isDoomed: (entry: ModelEntry) => boolean): string[] {
    const deleted = this.live(now).filter(isDoomed);
    this.entries = this.entries.filter((entry) => !isDoomed(entry));
    return deleted.map(({ key }) => key);
  }
}

/** The same numbers in every run, so that a failure can be looked at. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function memoryModelContract(create: CreateMemory): void {
  let world: MemoryWorld;
  beforeEach(() => {
    world = create();
  });

  const step = async (model: Model, random: (below: number) => number) => {
    const { store, clock } = world;
    const namespace = NAMESPACES[random(3)] as string;
    const key = `key ${random(40)}`;
    const kind = random(20);
    if (kind < 12) {
      const value = `word${random(5)} ${'x'.repeat(random(50))}`;
      const ttlMs = random(3) === 0 ? 1 + random(300) : undefined;
      const stored = await store.put(toNewEntry({ namespace, key, value, ttlMs }));
      const expiresAt = ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now + ttlMs;
      expect(stored.version).toBe(model.put({ namespace, key, value, expiresAt }, clock.now));
    } else if (kind < 15) {
      const deleted = model.delete(clock.now, (entry) => entry.namespace === namespace && entry.key === key);
      expect(await store.delete(namespace, key)).toBe(deleted.length === 1);
    } else if (kind === 15) {
      const keys = [key, `key ${random(40)}`, key];
      const deleted = model.delete(clock.now, (entry) => entry.namespace === namespace && keys.includes(entry.key));
      expect([...(await store.deleteMany(namespace, { keys }))].sort()).toEqual(deleted.sort());
    } else if (kind === 16) {
      const prefix = `key ${1 + random(9)}`;
      const deleted = model.delete(clock.now, (entry) => entry.namespace === namespace && entry.key.startsWith(prefix));
      expect([...(await store.deleteMany(namespace, { prefix }))].sort()).toEqual(deleted.sort());
    } else if (kind === 17) {
      await store.removeExpired();
    } else {
      clock.now += random(100);
    }
  };

  const compare = async (model: Model) => {
    const { store, clock } = world;
    const tell = (entries: readonly { namespace: string; key: string; version: number }[]) =>
      entries.map(({ namespace, key, version }) => `${namespace}/${key} v${version}`);
    for (const namespace of [undefined, ...NAMESPACES]) {
      const live = model.live(clock.now, namespace);
      const some = live.filter(({ key }) => key.startsWith('key 1'));
      const words = live.filter(({ value }) => value.startsWith('word1')).reverse();
      const lists = [store.list({ namespace, page }), store.list({ namespace, prefix: 'key 1', page })];
      const search = { namespace, page } as const;
      const searches = [
        store.search({ ...search, text: 'ey 1', in: 'key' }),
        store.search({ ...search, text: 'word1', in: 'value' }),
      ];
      const expected = [live, some, [...some].reverse(), words];
      for (const [index, listed] of (await Promise.all([...lists, ...searches])).entries()) {
        expect(tell(listed.items)).toEqual(tell(expected[index] as ModelEntry[]));
        expect(listed.total).toBe(listed.items.length);
      }
    }
  };

  test.each([1, 2])(
    `after ${OPERATIONS} operations all lists, searches and totals are right (seed %d)`,
    async (seed) => {
      const model = new Model();
      const random = seeded(seed);
      for (let count = 1; count <= OPERATIONS; count++) {
        await step(model, random);
        if (count % 50 === 0) await compare(model);
        if (random(10) === 0) await new Promise(setImmediate); // Some operations share a transaction, some do not.
      }
    },
  );
}
