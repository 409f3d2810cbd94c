import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { CACHE, ROOT } from './paths.mjs';

const OUTFILE = join(CACHE, 'bench-storage.mjs');

/** The server's own storage, as it is in the source now: what it writes is what the server would have written. */
async function loadStorage() {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['packages/storage/src/index.ts'],
    outfile: OUTFILE,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['libsql'],
    logLevel: 'warning',
  });
  return import(pathToFileURL(OUTFILE).href);
}

const fileIn = (home) => join(home, 'automatosx.db');

/** Runs `work` with the storage of a data folder that no server uses. */
export async function withStorage(home, work) {
  const storage = await loadStorage();
  const database = storage.openDatabase({ file: fileIn(home), synchronous: () => 'normal' });
  try {
    await work(database, storage);
  } finally {
    await database.close();
  }
  // The server begins with a file at rest, not with a long log of writes.
  queryFile(home, 'PRAGMA wal_checkpoint(TRUNCATE)');
}

/** The rows of a query, past everything of ours but the driver. */
export function queryFile(home, sql) {
  const Database = createRequire(OUTFILE)('libsql');
  const file = new Database(fileIn(home));
  try {
    return file.prepare(sql).all();
  } finally {
    file.close();
  }
}
