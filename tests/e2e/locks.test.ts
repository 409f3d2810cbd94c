import { join } from 'node:path';
import { openDatabase } from '@automatosx/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
let other: ReturnType<typeof openDatabase>;
beforeEach(async () => {
  client = await TestClient.start();
  await client.data('memory_store', { key: 'a', value: 1 });
  await client.data('config_set', { path: 'timeouts.toolOverrides.memory_store', value: 300 });
  other = openDatabase({ file: join(client.home, 'automatosx.db'), synchronous: () => 'normal' });
});
afterEach(async () => {
  await client.end();
  await other.close();
});

const lock = () => other.read((connection) => connection.exec('BEGIN IMMEDIATE'));
const release = () => other.read((connection) => connection.exec('COMMIT'));

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
};

describe('while another process holds the lock', () => {
  test('reads are answered, and their trace is written when it is free', async () => {
    await lock();
    const [answer, ms] = await timed(client.call('memory_retrieve', { key: 'a' }));
    expect(answer).toMatchObject({ success: true, data: { value: 1 } });
    expect(ms).toBeLessThan(2000);
    await release();
    await expect.poll(async () => (await client.data('trace_list', { toolName: 'memory_retrieve' })).total).toBe(1);
  });

  test('a write waits without stopping anything, and is done when it is free', async () => {
    await lock();
    const write = client.call('memory_delete', { key: 'a' });
    const [, ms] = await timed(client.request('ping'));
    expect(ms).toBeLessThan(1000);
    await release();
    expect(await write).toMatchObject({ success: true, data: { deleted: true } });
  });

  test('a write that runs out of time is answered, and stores nothing later either', async () => {
    await lock();
    const [answer, ms] = await timed(client.call('memory_store', { key: 'a', value: 2 }));
    expect(answer).toMatchObject({ success: false, error: { code: 'TOOL_TIMEOUT' } });
    expect(ms).toBeLessThan(2500);
    await release();
    await expect.poll(async () => (await client.data('trace_list', { status: 'failure' })).total).toBe(1);
    expect(await client.data('memory_retrieve', { key: 'a' })).toMatchObject({ value: 1, version: 1 });
  });

  test('a cancelled write stores nothing', async () => {
    await lock();
    client.send({
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/call',
      params: { name: 'memory_delete', arguments: { key: 'a' } },
    });
    client.notify('notifications/cancelled', { requestId: 'x' });
    expect((await client.request('ping')).result).toEqual({});
    await release();
    await expect.poll(async () => (await client.data('trace_list', { toolName: 'memory_delete' })).total).toBe(1);
    expect(await client.data('memory_retrieve', { key: 'a' })).toMatchObject({ found: true });
  });

  test('the server ends within the grace for running calls', { timeout: 20_000 }, async () => {
    await lock();
    void client.request('tools/call', { name: 'memory_delete', arguments: { key: 'a' } });
    await client.request('ping');
    const [, ms] = await timed(client.kill('SIGTERM'));
    expect(ms).toBeLessThan(7000);
    expect(client.process.exitCode).toBe(0);
    await release();
  });
});

test('many entries are deleted by their prefix without stopping others', { timeout: 60_000 }, async () => {
  await client.data('config_set', { path: 'timeouts.toolOverrides.memory_store', value: null });
  await Promise.all(
    Array.from({ length: 3500 }, (_, index) => index).map(async (index) => {
      for (;;) {
        const answer = await client.request('tools/call', {
          name: 'memory_store',
          arguments: { key: `log/${index}`, value: index },
        });
        if (answer.error === undefined) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }),
  );
  const deletion = client.data('memory_bulk_delete', { prefix: 'log/' });
  const [, ms] = await timed(client.request('ping'));
  expect(ms).toBeLessThan(2000);
  expect(await deletion).toMatchObject({ deleted: 3500, notFound: [] });
  expect((await client.data('memory_list', {})).total).toBe(1);
});
