// npm test: installs, checks, builds, runs every test, then the end-to-end tests again on newer versions of Node.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install, root } from './pnpm.mjs';

const NEWER_NODES = ['22', '24'];
const totals = { passed: 0, failed: 0, skipped: 0 };
let isGreen = true;

/** Runs a tool of the workspace, with its output shown. */
function check(name, words, environment = {}) {
  console.log(`\n── ${[name, ...words].join(' ')}`);
  const bin = join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
  const { status } = spawnSync(bin, words, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...environment },
  });
  isGreen &&= status === 0;
}

/** Runs tests and adds what the runner counted. */
function test(words, environment) {
  const report = join(root, '.cache', 'tests.json');
  rmSync(report, { force: true });
  check(
    'vitest',
    ['run', ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    environment,
  );
  if (!existsSync(report)) {
    isGreen = false;
    return;
  }
  const { numPassedTests, numFailedTests, numPendingTests, success } = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  totals.skipped += numPendingTests;
  isGreen &&= success;
}

/** Another version of Node out of the registry; undefined where there is none for this platform. */
function fetchNode(version) {
  const folder = join(root, '.cache', `node-${version}`);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`];
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  return status === 0 && existsSync(program) ? program : undefined;
}

install();
const only = process.argv.slice(2);
if (only.length > 0) {
  test(only);
} else {
  check('biome', ['check', '.']);
  check('tsc', ['--noEmit']);
  test(['--coverage']);
  let newerNodes = 0;
  for (const version of NEWER_NODES) {
    const node = fetchNode(version);
    if (node) newerNodes += 1;
    if (node) test(['tests/e2e', 'tests/application'], { AUTOMATOSX_TEST_NODE: node });
    else console.log(`Node ${version} cannot be had for ${process.platform} ${process.arch}: its tests were left out`);
  }
  // Only there does the driver of node:sqlite run: without it, half of the storage would be green untested.
  if (newerNodes === 0) {
    console.error(`FAILED: none of Node ${NEWER_NODES.join(', ')} could be had, so nothing ran on a newer Node`);
    isGreen = false;
  }
}
console.log(`${totals.passed} passed, ${totals.failed} failed${totals.skipped ? `, ${totals.skipped} skipped` : ''}`);
process.exit(isGreen ? 0 : 1);
