import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Another build can be measured in its place, to compare the two. */
export const SERVER = process.env.AUTOMATOSX_BENCH_SERVER ?? join(ROOT, 'packages/mcp-server/dist/bin.js');
export const RESULTS = join(ROOT, 'bench/results.json');
/** Beside the server's package, so that what is built there finds the same database driver. */
export const CACHE = join(ROOT, 'packages/mcp-server/.cache');

export const referencePath = (name) => join(ROOT, 'bench/references', `${name}.mjs`);

const made = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is gone when this process is. */
export function temporaryFolder(name) {
  const parent = process.env.AUTOMATOSX_BENCH_FOLDER ?? tmpdir();
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `automatosx-${name}-`));
  made.push(folder);
  return folder;
}
