export type { Cache, CacheOptions } from './lru-cache.js';
export { createCache } from './lru-cache.js';
