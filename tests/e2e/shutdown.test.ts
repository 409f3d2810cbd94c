import { describe, expect, test } from 'vitest';
import { started } from '../support/started.js';
import type { TestClient } from '../support/test-client.js';

const wait = (client: TestClient, ms: number, name = 'test_wait') =>
  client.request('tools/call', { name, arguments: { ms } }, `waiting-${ms}`);

/** The ways to ask a server to end. */
const WAYS: Record<string, (client: TestClient) => void> = {
  'a shutdown request': (client) => void client.request('shutdown', {}, 'end'),
  'the end of its input': (client) => void client.process.stdin.end(),
  SIGTERM: (client) => void client.process.kill('SIGTERM'),
  SIGINT: (client) => void client.process.kill('SIGINT'),
};

describe.each(Object.entries(WAYS))('%s', (way, end) => {
  test('ends an idle server with code 0 within half a second', async () => {
    const client = await started();
    await client.data('memory_store', { key: 'a', value: 1 });
    const askedAt = performance.now();
    end(client);
    expect(await client.exited()).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(500);
    if (way === 'a shutdown request') expect((await client.answerTo('end')).result).toEqual({});
    expect(client.stderr).toBe('');
  });

  test('lets running calls finish, and then ends', async () => {
    const client = await started({ program: 'fixture' });
    const slow = wait(client, 400);
    await client.request('ping');
    end(client);
    expect((await slow).result.structuredContent.data).toEqual({ waited: 400 });
    expect(await client.exited()).toBe(0);
  });
});

test('shutdown is answered after the calls before it, and refuses those behind it', async () => {
  const client = await started({ program: 'fixture' });
  const slow = wait(client, 300);
  const end = client.request('shutdown');
  const late = client.request('tools/call', { name: 'test_echo', arguments: {} });
  expect((await late).error).toMatchObject({ code: -32000, data: { code: 'SERVICE_UNAVAILABLE' } });
  await Promise.all([slow, end]);
  const order = client.messages.map(({ id }) => id);
  expect(order.indexOf('waiting-300')).toBeLessThan(order.indexOf((await end).id));
  expect(await client.exited()).toBe(0);
});

test('calls that take longer than 5 s are interrupted, answered, and leave their trace', async () => {
  const [client, deaf] = await Promise.all([started({ program: 'fixture' }), started({ program: 'fixture' })]);
  const interrupted = [wait(client, 20_000), wait(deaf, 20_001, 'test_ignore_signal')];
  const askedAt = performance.now();
  const end = client.request('shutdown');
  deaf.process.stdin.end();
  for (const { result } of await Promise.all(interrupted)) {
    expect(result.structuredContent.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
      context: { toolCode: 'SERVER_STOPPING' },
    });
  }
  expect((await end).result).toEqual({});
  expect(await Promise.all([client.exited(), deaf.exited()])).toEqual([0, 0]);
  expect(performance.now() - askedAt).toBeGreaterThan(4900);
  expect(performance.now() - askedAt).toBeLessThan(8000);
  const next = await started({ home: client.home });
  const { traces } = await next.data('trace_list', { toolName: 'test_wait' });
  expect(traces).toMatchObject([{ status: 'failure', toolCode: 'SERVER_STOPPING' }]);
});

test('all that was sent before the end of input is answered', async () => {
  const client = await started();
  const calls = Array.from({ length: 200 }, (_, index) =>
    client.data('memory_store', { key: `key-${index}`, value: index }),
  );
  client.process.stdin.end();
  expect(await Promise.all(calls)).toHaveLength(200);
  expect(await client.exited()).toBe(0);
});

test('a client that closes our output ends the server at its next answer', async () => {
  const client = await started();
  client.process.stdout.destroy();
  client.request('ping');
  expect(await client.exited()).toBe(0);
  expect(client.stderr).toBe('');
});

test('a client that closes our errors is served all the same', async () => {
  const client = await started({ args: ['--log-level', 'debug'] });
  client.process.stderr.destroy();
  for (let round = 0; round < 5; round++) expect((await client.request('ping')).result).toEqual({});
  expect(await client.end()).toBe(0);
});

test('a client that is killed takes the server with it', async () => {
  const client = await started({ program: 'fixture' });
  wait(client, 300);
  client.process.stdout.destroy();
  client.process.stdin.destroy();
  expect(await client.exited()).toBe(0);
});
