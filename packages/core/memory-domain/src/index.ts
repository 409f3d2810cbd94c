export { toNewEntry } from './entry.js';
export type { MemoryEntry, MemoryHead, MemoryStore, NewEntry } from './store.js';
