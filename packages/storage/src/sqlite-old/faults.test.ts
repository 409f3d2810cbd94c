import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { children } from './testing/children.js';
import { temporary } from './testing/temporary.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const { path, clear } = temporary();
const processes = children(build);
beforeAll(processes.prepare);
afterAll(processes.remove);
afterEach(processes.clear);
afterEach(clear);

/** Starts a task that modes of files hold for, which they do not for root. */
const startAsNobody = (task: string, file: string) =>
  isRoot
    ? processes.startBy(['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'], task, file)
    : processes.start(task, file);

function folderOfNobody(): string {
  chmodSync(path('.'), 0o755);
  mkdirSync(path('data'));
  if (isRoot) chownSync(path('data'), NOBODY, NOBODY);
  return path('data');
}

test('a folder that cannot be written to is a clear error, until it can be', async () => {
  const folder = folderOfNobody();
  chmodSync(folder, 0o500);
  const visitor = startAsNobody('visit', `${folder}/automatosx.db`);
  expect(await visitor.line()).toBe('The data folder cannot be written to');
  visitor.tell();
  expect(await visitor.line()).toBe('The data folder cannot be written to');
  chmodSync(folder, 0o700);
  visitor.tell();
  expect(await visitor.line()).toBe('stored');
});

test.each([
  ['file', 0o400, 0o600],
  ['folder', 0o500, 0o700],
])('the same holds for a database that was there, in a read-only %s', async (what, without, withWriting) => {
  const folder = folderOfNobody();
  const file = `${folder}/automatosx.db`;
  const first = startAsNobody('visit', file);
  expect(await first.line()).toBe('stored');
  await first.kill('SIGKILL');
  const target = what === 'file' ? file : folder;
  chmodSync(target, without);
  const visitor = startAsNobody('visit', file);
  expect(await visitor.line()).toBe('The data folder cannot be written to');
  chmodSync(target, withWriting);
  visitor.tell();
  expect(await visitor.line()).toBe('stored');
});

test.runIf(isRoot && process.platform === 'linux')(
  'a disk that is really full loses nothing and works again',
  async () => {
    mkdirSync(path('disk'));
    const mount = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
    const inOwnMounts = ['unshare', '--mount', 'sh', '-c', mount, path('disk')];
    const filler = processes.startBy(inOwnMounts, 'fill', path('disk/automatosx.db'));
    expect(await filler.line()).toBe('The disk is full: 0 entries too many');
    expect([await filler.line(), await filler.line()]).toEqual(['stored', 'ok']);
  },
);
