import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { CACHE, ROOT } from './paths.mjs';

const OUTFILE = join(CACHE, 'bench-storage.mjs');

/** The server's own storage, as it is in the source now: what it writes is what the server would have written. */
export async function loadStorage() {
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

/** Runs `work` on the database of a data folder that no server uses. */
export async function withDatabase(home, work) {
  const storage = await loadStorage();
  const database = storage.openDatabase({ file: join(home, 'automatosx.db'), synchronous: () => 'normal' });
  try {
    const result = await work(database, storage);
    // The server begins with a file at rest, not with a long log of writes.
    await database.read((connection) => connection.all('PRAGMA wal_checkpoint(TRUNCATE)'));
    return result;
  } finally {
    await database.close();
  }
}
