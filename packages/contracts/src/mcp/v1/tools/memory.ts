import * as z from 'zod';
import { defineContract } from '../contract.js';
import { json, jsonObject } from './json.js';
import { paged, paging } from './paging.js';

/** A value's JSON, in UTF-8, has at most this many bytes. */
export const MAX_VALUE_BYTES = 102_400;

const key = z.string().min(1).max(500);
const namespace = z.string().min(1).max(100);
const inDefault = namespace.default('default');
const time = z.iso.datetime();

export const memoryStore = defineContract({
  name: 'memory_store',
  title: 'Store in memory',
  description: 'Stores any JSON value (up to 100 KB) under a key, for good. Overwrites what was there.',
  category: 'mutation',
  effect: 'store',
  idempotent: true,
  destructive: true,
  freeForm: ['value'],
  input: z.strictObject({
    key,
    value: json.describe('Any JSON value'),
    namespace: inDefault,
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe('Store only if this is still the version; 0: only if the key is new'),
    ttlMs: z.int().min(1).max(31_536_000_000_000).optional().describe('Forget it after this time'),
  }),
  output: z.object({
    success: z.literal(true),
    key,
    namespace,
    version: z.int(),
    storedAt: time,
    expiresAt: time.optional(),
    message: z.string(),
  }),
  errors: ['VALUE_TOO_LARGE', 'VERSION_CONFLICT'],
});

export const memoryRetrieve = defineContract({
  name: 'memory_retrieve',
  title: 'Retrieve from memory',
  description: 'Returns the value stored under a key. A missing key is found: false, not an error.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({ key, namespace: inDefault }),
  output: z.object({
    found: z.boolean(),
    key,
    namespace,
    value: json.optional(),
    version: z.int().optional(),
    storedAt: time.optional(),
    expiresAt: time.optional(),
    message: z.string().optional(),
  }),
  errors: [],
});

export const memorySearch = defineContract({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Finds entries whose key contains the query (case-sensitive), newest first. in: "value" searches the words of the values, "both" does both.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({
    query: z.string().min(1).max(500),
    namespace: namespace.optional(),
    in: z.enum(['key', 'value', 'both']).default('key'),
    ...paging(10, 100),
  }),
  output: z.object({
    query: z.string(),
    namespace: z.string(),
    count: z.int(),
    results: z.array(z.object({ key, namespace, value: json, storedAt: time, version: z.int() })),
    ...paged,
  }),
  errors: [],
});

const listed = z.array(z.object({ key, namespace, storedAt: time, size: z.int(), version: z.int() }));

export const memoryList = defineContract({
  name: 'memory_list',
  title: 'List memory',
  description: 'Lists keys without their values, oldest write first.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({
    namespace: namespace.optional(),
    prefix: z.string().max(200).optional(),
    ...paging(100, 1000),
  }),
  output: z.object({
    keys: listed,
    entries: z.array(jsonObject).describe('The same as keys'),
    ...paged,
  }),
  errors: [],
});

export const memoryDelete = defineContract({
  name: 'memory_delete',
  title: 'Delete from memory',
  description: 'Deletes one key. Deleting a key that does not exist is not an error.',
  category: 'mutation',
  effect: 'store',
  idempotent: true,
  destructive: true,
  input: z.strictObject({ key, namespace: inDefault }),
  output: z.object({ deleted: z.boolean(), key, namespace, message: z.string() }),
  errors: ['DELETE_FAILED'],
});

export const memoryBulkDelete = defineContract({
  name: 'memory_bulk_delete',
  title: 'Delete many from memory',
  description: 'Deletes the given keys, or all that begin with a prefix, in one namespace.',
  category: 'mutation',
  effect: 'store',
  idempotent: true,
  destructive: true,
  input: z
    .strictObject({
      keys: z.array(key).min(1).max(1000).optional(),
      prefix: z.string().min(1).max(200).optional(),
      namespace: inDefault,
    })
    .refine(({ keys, prefix }) => (keys === undefined) !== (prefix === undefined), {
      message: 'Give either keys or prefix',
    }),
  output: z.object({
    deleted: z.int(),
    deletedKeys: z.array(key),
    notFound: z.array(key),
    namespace,
  }),
  errors: ['DELETE_FAILED'],
});

/** Codes of the founding documents; a missing key is an answer (`found: false`), not an error. */
export const MemoryToolErrorCode = {
  KEY_NOT_FOUND: 'KEY_NOT_FOUND',
  DELETE_FAILED: 'DELETE_FAILED',
  NAMESPACE_NOT_FOUND: 'NAMESPACE_NOT_FOUND',
} as const;

export const MemoryStoreInputSchema = memoryStore.input;
export const MemoryStoreOutputSchema = memoryStore.output;
export const MemoryRetrieveInputSchema = memoryRetrieve.input;
export const MemoryRetrieveOutputSchema = memoryRetrieve.output;
export const MemorySearchInputSchema = memorySearch.input;
export const MemorySearchOutputSchema = memorySearch.output;
export const MemoryListInputSchema = memoryList.input;
export const MemoryListOutputSchema = memoryList.output;
export const MemoryDeleteInputSchema = memoryDelete.input;
export const MemoryDeleteOutputSchema = memoryDelete.output;
export const MemoryBulkDeleteInputSchema = memoryBulkDelete.input;
export const MemoryBulkDeleteOutputSchema = memoryBulkDelete.output;
