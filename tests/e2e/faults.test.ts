import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@automatosx/storage';
import { expect, test } from 'vitest';
import { BIN, NODE, temporaryFolder } from '../support/paths.js';
import { TestClient } from '../support/test-client.js';

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

const unavailable = (message: RegExp) => ({
  success: false,
  error: {
    code: 'SERVICE_UNAVAILABLE',
    retryable: true,
    message: expect.stringMatching(message),
    context: { toolCode: 'STORAGE_UNAVAILABLE' },
  },
});

test.each([
  [
    'a file that is no database',
    Buffer.from('not a database at all, only words. '.repeat(200)),
    /not made by AutomatosX/,
  ],
  [
    'a damaged database',
    Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8000, 7)]),
    /damaged|not made by/,
  ],
])('%s is left as it is, the error is clear, and it works once the file is gone', async (_name, content, message) => {
  const home = temporaryFolder();
  const file = join(home, 'automatosx.db');
  writeFileSync(file, content);
  const before = hashOf(file);
  const client = await TestClient.start({ home });
  expect((await client.request('tools/list')).result.tools.length).toBeGreaterThan(10);
  expect(await client.call('memory_store', { key: 'a', value: 1 })).toMatchObject(unavailable(message));
  expect(hashOf(file)).toBe(before);

  rmSync(file);
  expect(await client.call('memory_store', { key: 'a', value: 1 })).toMatchObject({ success: true });
  await client.end();
});

test("another program's database is left as it is", async () => {
  const home = temporaryFolder();
  const foreign = openDatabase({ file: join(home, 'other.db'), synchronous: () => 'normal' });
  await foreign.read((connection) => connection.exec('PRAGMA application_id = 77; PRAGMA journal_mode = DELETE'));
  await foreign.close();
  renameSync(join(home, 'other.db'), join(home, 'automatosx.db'));
  const before = hashOf(join(home, 'automatosx.db'));
  const client = await TestClient.start({ home });
  expect(await client.call('memory_list')).toMatchObject(unavailable(/not made by AutomatosX/));
  await client.end();
  expect(hashOf(join(home, 'automatosx.db'))).toBe(before);
});

test('while another process holds the lock, reads are answered and writes wait without stopping anything', async () => {
  const client = await TestClient.start();
  await client.data('memory_store', { key: 'a', value: 1 });
  const other = openDatabase({ file: join(client.home, 'automatosx.db'), synchronous: () => 'normal' });
  await other.read((connection) => connection.exec('BEGIN IMMEDIATE'));
  const write = client.call('memory_store', { key: 'a', value: 2 });
  const startedAt = performance.now();
  expect((await client.request('ping')).result).toEqual({});
  expect(performance.now() - startedAt).toBeLessThan(200);
  await other.read((connection) => connection.exec('COMMIT'));
  expect(await write).toMatchObject({ success: true, data: { version: 2 } });
  await other.close();
  await client.end();
});

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot && existsSync('/dev/shm'))(
  'a full disk is told, keeps what was there, and is survived',
  { timeout: 60_000 },
  async ({ skip }) => {
    const home = join('/dev/shm', `automatosx-full-${process.pid}`);
    mkdirSync(home, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', home], { stdio: 'ignore' });
    } catch {
      rmSync(home, { recursive: true });
      skip('mount is not allowed here');
    }
    const client = await TestClient.start({ home });
    try {
      await client.data('memory_store', { key: 'before', value: 'kept' });
      let failed = false;
      for (let index = 0; index < 200 && !failed; index++) {
        const { success, error } = await client.call('memory_store', {
          key: `fill-${index}`,
          value: 'x'.repeat(50_000),
        });
        failed = !success;
        if (error) expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
      }
      expect(failed).toBe(true);
      expect(await client.call('memory_retrieve', { key: 'before' })).toMatchObject({
        success: true,
        data: { value: 'kept' },
      });

      execFileSync('mount', ['-o', 'remount,size=20m', home]);
      expect(await client.call('memory_store', { key: 'after', value: 1 })).toMatchObject({ success: true });
      expect(await client.data('memory_retrieve', { key: 'before' })).toMatchObject({ value: 'kept' });
    } finally {
      await client.end();
      execFileSync('umount', [home]);
      rmSync(home, { recursive: true, force: true });
    }
  },
);

/** Root may write everywhere, so a server that must not runs as nobody. */
const NOBODY = 65534;

test('a folder that cannot be written to is told, and works once it can', async ({ skip }) => {
  const user = isRoot ? { uid: NOBODY } : {};
  const isReachable = spawnSync(NODE, ['--check', BIN], user).status === 0;
  if (!isReachable) skip('the user nobody cannot read the program here');
  const home = temporaryFolder();
  chmodSync(home, 0o555);
  const client = await TestClient.start({ home, ...user });
  expect(await client.call('memory_store', { key: 'a', value: 1 })).toMatchObject(unavailable(/cannot be/));
  chmodSync(home, 0o777);
  expect(await client.call('memory_store', { key: 'a', value: 1 })).toMatchObject({ success: true });
  await client.end();
});
