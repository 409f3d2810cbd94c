import type { MemoryEntry, MemoryHead, MemoryStore } from '@automatosx/memory-domain';
import { isoTime } from '../tools/paging.js';
import { COMPLETIONS, collection, jsonResources, NEWEST, type Route } from './json-resources.js';
import type { CompletionQuestion, ResourceSource } from './resource.js';

/** The namespace of `memory://entries/{key}`. */
const DEFAULT = 'default';

export const ENTRY = 'memory://entries/{namespace}/{key}';

interface Options {
  readonly memory: MemoryStore;
  /** Another text whenever any entry has changed. */
  readonly stamp: () => Promise<string>;
}

export const memoryResources = ({ memory, stamp }: Options): ResourceSource => {
  const one: Pick<Route, 'read' | 'stamp' | 'complete'> = {
    read: async ({ namespace = DEFAULT, key = '' }) => {
      const entry = await memory.get(namespace, key);
      return entry && toWhole(entry);
    },
    stamp: async ({ namespace = DEFAULT, key = '' }) => {
      const entry = await memory.get(namespace, key);
      // A key that was deleted begins again at version 1, at another time.
      return entry ? `${entry.version}.${entry.storedAt}` : 'none';
    },
    complete: (question) =>
      question.argument === 'namespace' ? memory.namespaces(question.typed, COMPLETIONS) : keysFor(memory, question),
  };
  return jsonResources([
    {
      uri: 'memory://entries',
      name: 'Memory Entries',
      description: 'The newest memory entries, without their values',
      read: async () => collection('entries', await memory.list({ first: 'newest', page: NEWEST }), toHead),
      stamp,
    },
    { ...one, uri: ENTRY, name: 'Memory Entry', description: 'One memory entry, with its value' },
    {
      ...one,
      uri: 'memory://entries/{key}',
      name: 'Memory Entry by Key',
      description: `One memory entry of the namespace ${DEFAULT}, with its value`,
    },
  ]);
};

/** Newest first; of all namespaces as long as none is chosen. */
async function keysFor(memory: MemoryStore, { of, typed, chosen }: CompletionQuestion): Promise<readonly string[]> {
  const namespace = of === ENTRY ? chosen.namespace : DEFAULT;
  const page = { limit: COMPLETIONS, offset: 0 };
  const { items } = await memory.list({ namespace, prefix: typed, first: 'newest', page });
  return [...new Set(items.map(({ key }) => key))];
}

const toHead = ({ key, namespace, storedAt, sizeBytes, version }: MemoryHead) => ({
  key,
  namespace,
  storedAt: isoTime(storedAt),
  size: sizeBytes,
  version,
});

/** An entry with its value. */
const toWhole = (entry: MemoryEntry) => ({
  ...toHead(entry),
  ...(entry.expiresAt !== undefined && { expiresAt: isoTime(entry.expiresAt) }),
  value: JSON.parse(entry.json),
});
