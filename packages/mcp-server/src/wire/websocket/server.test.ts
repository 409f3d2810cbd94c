import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  connectedWebSocket,
  sdkClient,
  servedOverWebSocket,
  slowTools,
} from '../../../../../tests/support/websocket-client.js';

const call = (name: string, input: Record<string, unknown>) => ({ name, arguments: input });

describe.each([
  ['by handshake', 'legacy', '2025-11-25'],
  ['negotiating by itself', 'auto', '2026-07-28'],
  ['stateless by wish', { pin: '2026-07-28' }, '2026-07-28'],
] as const)('the official client, %s', (_name, mode, version) => {
  test('lists, calls, and hears progress of the era it chose', async () => {
    const { url } = await servedOverWebSocket();
    const client = await sdkClient(url, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('memory_store');
    await client.callTool(call('memory_store', { key: 'a', value: { of: 'ws' } }));
    const { structuredContent } = await client.callTool(call('memory_retrieve', { key: 'a' }));
    expect(structuredContent).toMatchObject({ success: true, data: { found: true, value: { of: 'ws' } } });
  });

  test('is asked for its roots by a tool that needs them', async () => {
    const { url } = await servedOverWebSocket({ extra: { tools: slowTools().tools } });
    const client = await sdkClient(url, mode, { roots: {} });
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///from/ws' }] }));
    const { structuredContent } = await client.callTool(call('test_roots', {}));
    expect(structuredContent).toMatchObject({
      data: { answers: { folders: { roots: [{ uri: 'file:///from/ws' }] } } },
    });
  });

  test('stops a call by giving up on it', async () => {
    const { tools, seen } = slowTools();
    const { url } = await servedOverWebSocket({ extra: { tools } });
    const client = await sdkClient(url, mode);
    const abort = new AbortController();
    const called = client.callTool(call('test_wait', { ms: 20_000 }), { signal: abort.signal });
    await vi.waitFor(() => expect(seen.started).toBe(1));
    abort.abort('enough');
    await expect(called).rejects.toThrow();
    await vi.waitFor(() => expect(seen.cancelled).toBe(1));
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });
});

test('answers go to the client that asked, where two use the same ids', async () => {
  const { url } = await servedOverWebSocket({ extra: { tools: slowTools().tools } });
  const clients = await Promise.all([1, 2, 3].map(() => connectedWebSocket(url)));
  await Promise.all(clients.map(({ open }) => open()));
  const answers = clients.flatMap(({ request }, who) =>
    Array.from({ length: 50 }, async (_, id) => {
      const { result } = await request('tools/call', call('test_echo', { who, id }), id);
      expect(result.structuredContent.data).toEqual({ echo: { who, id } });
    }),
  );
  await Promise.all(answers);
  expect(clients.map(({ messages }) => messages.length)).toEqual([51, 51, 51]);
});

test('an id that is under way is refused to the second, and nobody cancels the request of another', async () => {
  const { tools, seen } = slowTools();
  const { url } = await servedOverWebSocket({ extra: { tools } });
  const [one, other] = await Promise.all([connectedWebSocket(url), connectedWebSocket(url)]);
  await Promise.all([one.open(), other.open()]);
  one.send({ id: 7, method: 'tools/call', params: call('test_wait', { ms: 300 }) });
  one.send({ id: 7, method: 'ping' });
  other.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
  await one.until(({ id, result }) => id === 7 && result !== undefined);
  expect(one.messages.map(({ id, error }) => [id, error?.code])).toEqual([
    ['r-1', undefined],
    [7, -32600],
    [7, undefined],
  ]);
  expect(seen.cancelled).toBe(0);
});

test('a batch of 2025-03-26 is one frame, and so is its answer', async () => {
  const { url } = await servedOverWebSocket();
  const { socket, open } = await connectedWebSocket(url);
  await open('2025-03-26');
  const frames: string[] = [];
  socket.on('message', (data) => frames.push(data.toString()));
  socket.send('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]');
  await vi.waitFor(() => expect(frames).toHaveLength(1));
  expect(JSON.parse(frames[0] as string)).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]);
});

test('a connection that breaks stops the calls that came by it', async () => {
  const { tools, seen } = slowTools();
  const { url, endpoint } = await servedOverWebSocket({ extra: { tools } });
  const { socket, open, send } = await connectedWebSocket(url);
  await open();
  for (const id of [1, 2, 3]) send({ id, method: 'tools/call', params: call('test_wait', { ms: 20_000 }) });
  await vi.waitFor(() => expect(seen.started).toBe(3));
  socket.terminate();
  await vi.waitFor(() => expect(seen.cancelled).toBe(3));
  expect(endpoint.size()).toBe(0);
});

test('shutdown is answered, and then the connection is closed as it should be', async () => {
  const { url, endpoint } = await servedOverWebSocket({ extra: { tools: slowTools().tools } });
  const { open, send, request, messages, closed } = await connectedWebSocket(url);
  await open();
  send({ id: 'slow', method: 'tools/call', params: call('test_wait', { ms: 100 }) });
  expect((await request('shutdown')).result).toEqual({});
  expect(await closed).toBe(1000);
  expect(messages.find(({ id }) => id === 'slow')?.result.isError).toBeUndefined();
  await vi.waitFor(() => expect(endpoint.size()).toBe(0));
});

test('the end of the server waits for what is under way, answers it, and says that it goes away', async () => {
  const { url, endpoint } = await servedOverWebSocket({ extra: { tools: slowTools().tools } });
  const clients = await Promise.all([1, 2].map(() => connectedWebSocket(url)));
  await Promise.all(clients.map(({ open }) => open()));
  for (const { send } of clients) {
    send({ id: 'short', method: 'tools/call', params: call('test_wait', { ms: 100 }) });
    send({ id: 'long', method: 'tools/call', params: call('test_wait', { ms: 20_000 }) });
  }
  await sleep(50);
  await endpoint.close(300);
  expect(endpoint.size()).toBe(0);
  for (const { closed, messages } of clients) {
    expect(await closed).toBe(1001);
    expect(messages.find(({ id }) => id === 'short')?.result.structuredContent.success).toBe(true);
    expect(messages.find(({ id }) => id === 'long')?.result.structuredContent.error.code).toBe('SERVICE_UNAVAILABLE');
  }
  await expect(connectedWebSocket(url)).rejects.toThrow('503');
});

test('clients that come and go leave nothing behind', async () => {
  const { url, endpoint, http } = await servedOverWebSocket();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let round = 0; round < 10; round++) {
    const clients = await Promise.all(Array.from({ length: 30 }, () => connectedWebSocket(url)));
    expect(endpoint.size()).toBe(30);
    for (const [index, { socket }] of clients.entries()) index % 2 === 0 ? socket.terminate() : socket.close();
    await Promise.all(clients.map(({ closed }) => closed));
    await vi.waitFor(() => expect(endpoint.size()).toBe(0));
  }
  await vi.waitFor(async () => {
    const connections = await new Promise((resolve) => http.getConnections((_error, count) => resolve(count)));
    expect(connections).toBe(0);
  });
  expect(timers()).toBeLessThanOrEqual(before + 2);
});
