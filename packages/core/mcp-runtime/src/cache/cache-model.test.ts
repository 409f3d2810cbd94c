import { type MCPCacheConfig, MCPCacheConfigSchema } from '@automatosx/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cache, createCache } from './index.js';

const PRIORITIES = ['low', 'normal', 'high'] as const;

interface ModelEntry {
  key: string;
  value: unknown;
  bytes: number;
  priority: (typeof PRIORITIES)[number];
  expiresAt: number;
  stored: number;
  used: number;
  uses: number;
}

/** The same cache, written to be obviously right: one array that is filtered, summed and sorted every time. */
class Model {
  entries: ModelEntry[] = [];
  hits = 0;
  misses = 0;
  evictions = 0;
  step = 0;
  constructor(readonly world: World) {}

  get(key: string) {
    this.shrink();
    this.entries = this.entries.filter((entry) => entry.key !== key || entry.expiresAt > this.world.now);
    const entry = this.entries.find((candidate) => candidate.key === key);
    if (entry === undefined) this.misses += 1;
    else this.use(entry);
    return { hit: entry !== undefined, value: entry?.value };
  }

  set(key: string, value: unknown, { priority, ttlMs }: Pick<ModelEntry, 'priority'> & { ttlMs: number }) {
    this.shrink();
    this.drop((entry) => entry.key === key);
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const immovable = this.entries.filter((entry) => entry.priority === 'high' && priority !== 'high');
    if (this.share(immovable, bytes) > 1) return false;
    if (this.share(this.entries, bytes) > this.world.config.highWaterMark) {
      this.evict(() => this.share(this.entries, bytes) > this.low, priority === 'high');
    }
    const expiresAt = ttlMs === 0 ? Number.POSITIVE_INFINITY : this.world.now + ttlMs;
    const step = ++this.step;
    this.entries.push({ key, value, bytes, priority, expiresAt, stored: step, used: step, uses: 0 });
    return true;
  }

  use(entry: ModelEntry) {
    this.hits += 1;
    entry.used = ++this.step;
    entry.uses += 1;
  }

  drop(condition: (entry: ModelEntry) => boolean) {
    const before = this.entries.length;
    this.entries = this.entries.filter((entry) => !condition(entry));
    return before - this.entries.length;
  }

  stats() {
    this.shrink();
    const currentSizeBytes = this.entries.reduce((sum, { bytes }) => sum + bytes, 0);
    const { hits: hitCount, misses: missCount, evictions: evictionCount } = this;
    return { entryCount: this.entries.length, currentSizeBytes, hitCount, missCount, evictionCount };
  }

  shrink() {
    if (this.share(this.entries) <= 1) return;
    this.evict(() => this.share(this.entries) > this.low, false);
    this.evict(() => this.share(this.entries) > 1, true);
  }

  get low() {
    return Math.min(this.world.config.lowWaterMark, this.world.config.highWaterMark);
  }

  share(entries: ModelEntry[], extraBytes?: number) {
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, extraBytes ?? 0);
    const count = entries.length + (extraBytes === undefined ? 0 : 1);
    return Math.max(count / this.world.config.maxEntries, bytes / this.world.config.maxSizeBytes);
  }

  evict(isTooMuch: () => boolean, includeHigh: boolean) {
    const order = this.entries.filter(({ priority }) => includeHigh || priority !== 'high').sort(this.byPolicy);
    for (const victim of order) {
      if (!isTooMuch()) return;
      this.evictions += this.drop((entry) => entry === victim);
    }
  }

  byPolicy = (one: ModelEntry, other: ModelEntry) => {
    const policy = this.world.config.evictionPolicy;
    const byPriority = PRIORITIES.indexOf(one.priority) - PRIORITIES.indexOf(other.priority);
    if (policy === 'fifo') return byPriority || one.stored - other.stored;
    return byPriority || (policy === 'lfu' ? one.uses - other.uses : 0) || one.used - other.used;
  };
}

interface World {
  config: MCPCacheConfig;
  now: number;
}

type Step = (real: Cache, model: Model, world: World) => void;

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__', 'constructor');
const options = fc.record({
  priority: fc.constantFrom(...PRIORITIES),
  ttlMs: fc.constantFrom(0, 3, 20),
});
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ maxLength: 80 }));
const config = fc.record({
  maxSizeBytes: fc.integer({ min: 1, max: 400 }),
  maxEntries: fc.integer({ min: 1, max: 8 }),
  evictionPolicy: fc.constantFrom('lru' as const, 'lfu' as const, 'fifo' as const),
  highWaterMark: fc.double({ min: 0.5, max: 1, noNaN: true }),
  lowWaterMark: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
});

const set: fc.Arbitrary<Step> = fc.tuple(key, value, options).map(([name, stored, how]) => (real, model) => {
  expect(real.set(name, stored, how)).toBe(model.set(name, stored, how));
});
const get: fc.Arbitrary<Step> = key.map((name) => (real, model) => {
  const { hit, value: found } = real.get(name);
  expect({ hit, value: found }).toEqual(model.get(name));
});
const remove: fc.Arbitrary<Step> = key.map((name) => (real, model) => {
  expect(real.delete(name)).toBe(model.drop((entry) => entry.key === name) === 1);
});
const pass: fc.Arbitrary<Step> = fc.nat(5).map((ms) => (_real, _model, world) => {
  world.now += ms;
});
const cleanup: fc.Arbitrary<Step> = fc.constant((real, model, world) => {
  real.cleanup();
  model.drop(({ expiresAt }) => expiresAt <= world.now);
});
const reconfigure: fc.Arbitrary<Step> = config.map((changes) => (_real, _model, world) => {
  world.config = { ...world.config, ...changes };
});

const often = [set, set, set, get, get, get];
// `size: 'max'`: short runs, which are the default, hardly ever evict from the middle of a life.
const anyStep = fc.oneof(...often, remove, pass, cleanup, reconfigure);
const steps = fc.array(anyStep, { maxLength: 100, size: 'max' });

test('whatever is done to it, the cache answers as the naive model does and stays within its bounds', () => {
  fc.assert(
    fc.property(config, steps, (start, run) => {
      const world: World = { config: MCPCacheConfigSchema.parse(start), now: 1_000 };
      const real = createCache({ config: () => world.config, now: () => world.now });
      const model = new Model(world);
      for (const step of run) {
        step(real, model, world);
        const stats = real.stats();
        expect(stats).toMatchObject(model.stats());
        expect(stats.currentSizeBytes).toBeLessThanOrEqual(world.config.maxSizeBytes);
        expect(stats.entryCount).toBeLessThanOrEqual(world.config.maxEntries);
      }
    }),
    { numRuns: 300 },
  );
});
