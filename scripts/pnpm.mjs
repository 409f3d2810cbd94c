import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command with its output shown, and stops this script with its code if it failed. */
export function run(command, words, options = {}) {
  const { status, error } = spawnSync(command, words, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs what the lock file names. pnpm itself comes through npm, so Node and npm are all a machine needs. */
export const install = (options) =>
  run(
    'npx',
    ['-y', 'pnpm@12.18.0', 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'],
    options,
  );
