import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { linesOf, residentMegabytes, started } from '../support/started.js';
import type { TestClient } from '../support/test-client.js';

const MEGABYTE = 1024 * 1024;

/** Writes as fast as the server takes it. */
async function pour({ process }: TestClient, chunk: Buffer, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    if (!process.stdin.write(chunk)) await once(process.stdin, 'drain');
  }
}

test('a line of 100 MB without an end takes no memory, is refused once, and the next one is read', async () => {
  const client = await started();
  await client.data('memory_list');
  const before = residentMegabytes(client);
  await pour(client, Buffer.alloc(MEGABYTE, 'x'), 50);
  // The refusal comes as soon as the limit is passed, not at the end of the line.
  expect((await client.answerTo(null)).error?.code).toBe(-32600);
  await pour(client, Buffer.alloc(MEGABYTE, 'x'), 50);
  const during = residentMegabytes(client);
  client.write('\n');
  expect((await client.request('ping')).result).toEqual({});
  expect(client.messages.filter(({ id }) => id === null)).toHaveLength(1);
  expect(during - before).toBeLessThan(100);
});

test('many lines over the limit, one after another, take no memory either', async () => {
  const client = await started();
  await client.data('memory_list');
  const before = residentMegabytes(client);
  for (let line = 0; line < 5; line++) {
    await pour(client, Buffer.alloc(MEGABYTE, '['), 11);
    client.write('\n');
  }
  expect((await client.request('ping')).result).toEqual({});
  expect(client.messages.filter(({ error }) => error?.code === -32600)).toHaveLength(5);
  expect(residentMegabytes(client) - before).toBeLessThan(100);
});

test('a client that sends thousands of calls and never reads is not served faster than it reads', async () => {
  const client = await started({ program: 'fixture' });
  await client.data('test_echo', {});
  const before = residentMegabytes(client);
  client.process.stdout.pause();

  const total = 4000;
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id: `unread-${id}`,
    method: 'tools/call',
    params: { name: 'test_size', arguments: { items: 10, length: 1000 } },
  });
  for (let id = 0; id < total; id += 100) {
    client.write(linesOf(...Array.from({ length: 100 }, (_, index) => call(id + index))));
  }
  // It has stopped taking input: most of what was sent is still with us.
  let left = -1;
  while (left !== client.process.stdin.writableLength) {
    left = client.process.stdin.writableLength;
    await sleep(300);
  }
  expect(left).toBeGreaterThan(200_000);
  expect(residentMegabytes(client) - before).toBeLessThan(300);

  client.process.stdout.resume();
  const answers = await Promise.all(Array.from({ length: total }, (_, id) => client.answerTo(`unread-${id}`)));
  expect((await client.request('ping')).result).toEqual({});
  expect(client.messages.filter(({ id }) => String(id).startsWith('unread'))).toHaveLength(total);
  for (const { result, error } of answers) {
    expect(error?.code ?? result.structuredContent.data.items.length).toBe(error ? -32000 : 10);
  }
});

test('a client that never reads does not keep the server from ending', async () => {
  const client = await started({ program: 'fixture' });
  client.process.stdout.pause();
  const call = { name: 'test_size', arguments: { items: 50, length: 9000 } };
  for (let id = 0; id < 50; id++) client.send({ jsonrpc: '2.0', id: `u${id}`, method: 'tools/call', params: call });
  await sleep(500);
  const askedAt = performance.now();
  client.process.kill('SIGTERM');
  expect(await client.exited()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(5000);
  expect(client.stderr).toBe('');
});

test('a client that reads late, after it closed our input, still gets every answer', async () => {
  const client = await started({ program: 'fixture' });
  client.process.stdout.pause();
  const call = { name: 'test_size', arguments: { items: 50, length: 9000 } };
  const ids = Array.from({ length: 20 }, (_, index) => `late-${index}`);
  const answers = ids.map((id) => client.request('tools/call', call, id));
  client.process.stdin.end();
  await sleep(700);
  client.process.stdout.resume();
  for (const { result } of await Promise.all(answers)) expect(result.structuredContent.data.items).toHaveLength(50);
  expect(await client.exited()).toBe(0);
});
