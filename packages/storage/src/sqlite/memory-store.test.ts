import { toNewEntry } from '@automatosx/memory-domain';
import { memoryStoreContract } from '@automatosx/memory-domain/store.contract';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteMemoryStore } from './memory-store.js';
import { plansOf } from './testing/plans.js';
import { temporary } from './testing/temporary.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function memory(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  return { clock, database, store: sqliteMemoryStore(database, () => clock.now) };
}

describe('sqlite in a file', () => memoryStoreContract(() => memory()));
describe('sqlite in memory', () => memoryStoreContract(() => memory(':memory:')));

describe('what a million entries would make slow', () => {
  const page = { limit: 10, offset: 0 };
  const filled = async () => {
    const world = memory();
    const entry = { namespace: 'default', key: 'entry', value: 'word' };
    await world.store.put(toNewEntry(entry));
    await world.store.put(toNewEntry({ ...entry, key: 'brief', ttlMs: 1 }));
    return world;
  };

  test.each(['list', 'search'] as const)('%s reads in the order of writing and sorts nothing', async (kind) => {
    const { store, database } = await filled();
    const plans = await plansOf(database, async () => {
      if (kind === 'list') await Promise.all([store.list({ page }), store.list({ page, namespace: 'default' })]);
      else for (const where of ['key', 'value'] as const) await store.search({ text: 'word', in: where, page });
    });
    expect(plans).not.toContain('TEMP B-TREE');
    expect(plans).toContain(kind === 'list' ? 'INDEX memory_by_namespace' : 'memory_words VIRTUAL TABLE INDEX');
  });

  test('keys that begin with a prefix are counted and found by their index', async () => {
    const { store, database } = await filled();
    const plans = await plansOf(database, () => store.list({ prefix: 'ent', page }));
    expect(plans).toContain('USING COVERING INDEX memory_by_key (namespace=? AND key>? AND key<?)');
    expect(plans).not.toContain('TEMP B-TREE');
  });

  test('the newest entries and the namespaces are read in order, and sorted by nothing', async () => {
    const { store, database } = await filled();
    const plans = await plansOf(database, async () => {
      await store.list({ first: 'newest', page });
      await store.list({ first: 'newest', namespace: 'default', page });
      await store.namespaces('def', 10);
    });
    expect(plans).toContain('SEARCH memory_counts USING PRIMARY KEY (namespace>? AND namespace<?)');
    expect(plans).not.toContain('TEMP B-TREE');
  });

  test('what has expired is counted by its own index', async () => {
    const { store, database, clock } = await filled();
    clock.now += 1;
    const plans = await plansOf(database, () => store.list({ namespace: 'default', page }));
    expect(plans).toContain('INDEX memory_by_expiry (expires_at<?)');
    expect(plans).not.toContain('memory_by_key');
  });
});
