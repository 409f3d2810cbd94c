export { configFiles } from './files/config-files.js';
export { sqliteArtifactStore } from './sqlite/artifact-store.js';
export { sqliteChanges } from './sqlite/changes.js';
export type { Database, DatabaseOptions } from './sqlite/database.js';
export { openDatabase } from './sqlite/database.js';
export { sqliteIdempotencyStore } from './sqlite/idempotency-store.js';
export { sqliteMemoryStore } from './sqlite/memory-store.js';
export { sqliteSessionStore } from './sqlite/session-store.js';
export { sqliteTraceStore } from './sqlite/trace-store.js';
