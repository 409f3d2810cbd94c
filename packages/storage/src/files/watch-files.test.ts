import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchFiles } from './watch-files.js';

const POLL_MS = 20;
let root: string;
let stop: () => void = () => {};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'watch-files-'));
});
afterEach(() => {
  stop();
  rmSync(root, { recursive: true, force: true });
});

/** Counts what is noticed, once the watcher has seen how things are. */
async function watching(paths: () => readonly string[]) {
  const noticed = vi.fn();
  const watcher = watchFiles(paths, POLL_MS);
  stop = watcher.add(noticed);
  await sleep(5 * POLL_MS);
  return { watcher, noticed };
}

const once = (noticed: ReturnType<typeof vi.fn>) =>
  vi.waitFor(() => expect(noticed).toHaveBeenCalled(), { timeout: 5000 }).then(() => noticed.mockClear());

test('a file that appears, changes, is replaced and goes is noticed each time, in a folder that did not exist', async () => {
  const file = join(root, 'folder', 'config.json');
  const { noticed } = await watching(() => [file]);
  expect(noticed).not.toHaveBeenCalled();

  mkdirSync(join(root, 'folder'));
  writeFileSync(file, '{}');
  await once(noticed);
  writeFileSync(file, '{ }');
  await once(noticed);
  writeFileSync(`${file}.new`, '{x}');
  renameSync(`${file}.new`, file);
  await once(noticed);
  rmSync(file);
  await once(noticed);
});

test('reading a file is not a change', async () => {
  const file = join(root, 'config.json');
  writeFileSync(file, '{}');
  const { noticed } = await watching(() => [file]);
  readFileSync(file);
  await sleep(5 * POLL_MS);
  expect(noticed).not.toHaveBeenCalled();
});

test('after a restart the new paths count and the old ones do not', async () => {
  const [old, next] = [join(root, 'old'), join(root, 'new')];
  let path = old;
  const { watcher, noticed } = await watching(() => [path]);
  path = next;
  watcher.restart();
  await sleep(5 * POLL_MS);
  writeFileSync(old, 'x');
  await sleep(5 * POLL_MS);
  expect(noticed).not.toHaveBeenCalled();
  writeFileSync(next, 'x');
  await once(noticed);
});

test('nothing is noticed once nobody listens', async () => {
  const file = join(root, 'config.json');
  const { noticed } = await watching(() => [file, file]);
  stop();
  writeFileSync(file, '{}');
  await sleep(5 * POLL_MS);
  expect(noticed).not.toHaveBeenCalled();
});
