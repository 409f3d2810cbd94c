export type { Cache, CacheOptions, CacheStoreOptions } from './lru-cache.js';
export { createCache } from './lru-cache.js';
