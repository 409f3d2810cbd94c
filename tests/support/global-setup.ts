import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { FIXTURE, ROOT } from './paths.js';

/** Tests drive the built program, so it is built first; and so is a variant of it with tools made for testing. */
export default async function setup(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['tests/support/fixture-server.ts'],
    outfile: FIXTURE,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['libsql', 'ws', 'jose'],
    logLevel: 'warning',
  });
}
