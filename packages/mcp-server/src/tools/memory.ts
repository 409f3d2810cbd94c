import {
  memoryBulkDelete,
  memoryDelete,
  memoryList,
  memoryRetrieve,
  memorySearch,
  memoryStore,
} from '@automatosx/contracts';
import { implement, type Tool } from '@automatosx/mcp-runtime';
import { type MemoryHead, type MemoryStore, toNewEntry } from '@automatosx/memory-domain';
import { isoTime, paged, pageFrom } from './paging.js';

export const memoryTools = (memory: MemoryStore, now: () => number): Tool[] => [
  implement(memoryStore, async (request) => {
    const stored = await memory.put(toNewEntry(request));
    const { key, namespace, version } = stored;
    return {
      success: true as const,
      key,
      namespace,
      version,
      ...timesOf(stored),
      message: `Stored ${key}, version ${version}`,
    };
  }),

  implement(memoryRetrieve, async ({ namespace, key }) => {
    const entry = await memory.get(namespace, key);
    if (!entry) return { found: false, key, namespace, message: `There is no ${key} in ${namespace}` };
    return { found: true, key, namespace, value: JSON.parse(entry.json), version: entry.version, ...timesOf(entry) };
  }),

  implement(memorySearch, async (request) => {
    const { query, namespace, in: where } = request;
    const page = pageFrom('memory_search', request);
    const found = await memory.search({ text: query, in: where, namespace, page });
    const results = found.items.map(({ key, namespace, json, storedAt, version }) => ({
      key,
      namespace,
      value: JSON.parse(json),
      storedAt: isoTime(storedAt),
      version,
    }));
    const paging = paged('memory_search', request, found);
    return { query, namespace: namespace ?? 'all', count: results.length, results, ...paging };
  }),

  implement(memoryList, async (request) => {
    const { namespace, prefix } = request;
    const listed = await memory.list({ namespace, prefix, page: pageFrom('memory_list', request) });
    const keys = listed.items.map(({ key, namespace, storedAt, sizeBytes, version }) => ({
      key,
      namespace,
      storedAt: isoTime(storedAt),
      size: sizeBytes,
      version,
    }));
    return { keys, entries: keys, ...paged('memory_list', request, listed) };
  }),

  implement(memoryDelete, async ({ namespace, key }, { note }) => {
    const deleted = await memory.delete(namespace, key);
    note(deletion(now(), namespace, deleted ? [key] : []));
    return { deleted, key, namespace, message: deleted ? `Deleted ${key}` : `There was no ${key} in ${namespace}` };
  }),

  implement(memoryBulkDelete, async ({ namespace, keys, prefix }, context) => {
    const which = keys ? { keys } : { prefix: prefix as string };
    const deletedKeys = await memory.deleteMany(namespace, which, context.signal);
    context.note(deletion(now(), namespace, deletedKeys));
    const deleted = new Set(deletedKeys);
    const notFound = [...new Set(keys ?? [])].filter((key) => !deleted.has(key));
    return { deleted: deletedKeys.length, deletedKeys: [...deletedKeys], notFound, namespace };
  }),
];

/** A delete leaves an event with key and namespace (INV-MCP-MEM-005). */
const deletion = (at: number, namespace: string, keys: readonly string[]) =>
  ({
    type: 'step.execute',
    at,
    status: 'success',
    durationMs: 0,
    payload: { stepId: 'memory.deleted', namespace, keys: keys.slice(0, 100), count: keys.length },
  }) as const;

const timesOf = ({ storedAt, expiresAt }: MemoryHead) => ({
  storedAt: isoTime(storedAt),
  ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
});
