import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../../tests/support/paths.js';
import { connectedWebSocket, servedOverWebSocket, slowTools } from '../../../../../tests/support/websocket-client.js';

const call = (name: string, input: Record<string, unknown>) => ({ name, arguments: input });
const MIB = 1024 * 1024;
const UNREAD = 'warn: A WebSocket client does not read what it is sent';

describe('what is no message', () => {
  test('a frame over the limit is answered unread, and the connection closed with 1009', async () => {
    const { url, endpoint } = await servedOverWebSocket();
    const { socket, messages, closed } = await connectedWebSocket(url);
    socket.send('x'.repeat(10 * MIB + 1));
    expect(await closed).toBe(1009);
    expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([[null, -32600]]);
    await vi.waitFor(() => expect(endpoint.size()).toBe(0));
  });

  test('fragments that are too much together are refused too', async () => {
    const { url } = await servedOverWebSocket();
    const { socket, messages, closed } = await connectedWebSocket(url);
    for (let count = 0; count < 11; count++) socket.send('x'.repeat(MIB), { fin: false });
    expect(await closed).toBe(1009);
    expect(messages.map(({ error }) => error?.code)).toEqual([-32600]);
  });

  test('the limit is the configured one', async () => {
    const configFile = join(temporaryFolder(), 'config.json');
    writeFileSync(configFile, '{"limits": {"request": {"maxRequestBytes": 2000}}}');
    const { url } = await servedOverWebSocket({ configFile });
    const { socket, closed, request } = await connectedWebSocket(url);
    expect((await request('ping', { padding: 'x'.repeat(1900) })).result).toEqual({});
    socket.send('x'.repeat(2001));
    expect(await closed).toBe(1009);
  });

  test('a binary frame closes the connection with 1003, and nothing that follows it is done', async () => {
    const { tools, seen } = slowTools();
    const { url } = await servedOverWebSocket({ extra: { tools } });
    const { socket, open, send, messages, closed } = await connectedWebSocket(url);
    await open();
    socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
    send({ id: 2, method: 'tools/call', params: call('test_echo', {}) });
    expect(await closed).toBe(1003);
    expect(messages).toHaveLength(1);
    expect(seen.echoed).toBe(0);
  });

  test('invalid UTF-8 is answered, and the connection closed with 1007', async () => {
    const { url } = await servedOverWebSocket();
    const { socket, messages, closed } = await connectedWebSocket(url);
    socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false });
    expect(await closed).toBe(1007);
    expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([[null, -32700]]);
  });

  test.each([
    ['bad JSON', '{"jsonrpc":', -32700],
    ['an empty frame', '', -32700],
    ['two messages in a frame', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{}', -32700],
    ['no object', '42', -32600],
    ['a batch where there are none', '[]', -32600],
    ['JSON 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), -32600],
    ['JSON 100,000 deep and not closed', '{"a":'.repeat(100_000), -32700],
    ['too many fields', `{${Array.from({ length: 200_000 }, (_, at) => `"${at}":1`).join()}}`, -32600],
  ])('%s is answered, and the connection goes on', async (_name, text, code) => {
    const { url } = await servedOverWebSocket();
    const { socket, until, request } = await connectedWebSocket(url);
    socket.send(text);
    const refusal = await until(({ error }) => error !== undefined);
    expect([refusal.id, refusal.error?.code]).toEqual([null, code]);
    expect((await request('ping')).result).toEqual({});
  });
});

describe('the upgrade', () => {
  test.each([
    ['ours', ['mcp'], 'mcp'],
    ['ours among others', ['graphql-ws', 'mcp'], 'mcp'],
    ['none', [], ''],
  ])('a client that offers %s is let in', async (_name, protocols, chosen) => {
    const { url } = await servedOverWebSocket();
    const { socket, request } = await connectedWebSocket(url, { protocols });
    expect(socket.protocol).toBe(chosen);
    expect((await request('ping')).result).toEqual({});
  });

  test('a client that offers only other subprotocols is refused with 400', async () => {
    const { url, endpoint } = await servedOverWebSocket();
    await expect(connectedWebSocket(url, { protocols: ['graphql-ws', 'mcp2'] })).rejects.toThrow('400');
    expect(endpoint.size()).toBe(0);
  });

  test('compression is not offered', async () => {
    const { url } = await servedOverWebSocket();
    const { socket } = await connectedWebSocket(url, { perMessageDeflate: true });
    expect(socket.extensions).toBe('');
  });

  test('beyond the limit of connections it is refused with 429, until one leaves', async () => {
    const { url, endpoint } = await servedOverWebSocket({}, { maxConnections: 2 });
    const [one] = await Promise.all([connectedWebSocket(url), connectedWebSocket(url)]);
    const { statusCode, headers, body } = await upgradeResponse(url);
    expect([statusCode, headers['retry-after']]).toEqual([429, '5']);
    expect(JSON.parse(body).error).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: 5000 } });
    one?.socket.terminate();
    await vi.waitFor(() => expect(endpoint.size()).toBe(1));
    const { request } = await connectedWebSocket(url);
    expect((await request('ping')).result).toEqual({});
  });
});

async function upgradeResponse(url: string) {
  const asked = httpRequest(url.replace('ws:', 'http:'), {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  }).end();
  const [response] = await once(asked, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { statusCode: response.statusCode, headers: response.headers, body };
}

describe('heartbeat', () => {
  test('a client that answers pings stays', async () => {
    const { url, endpoint } = await servedOverWebSocket({}, { pingIntervalMs: 20 });
    const { socket, request } = await connectedWebSocket(url);
    let pings = 0;
    socket.on('ping', () => pings++);
    await sleep(300);
    expect(pings).toBeGreaterThan(5);
    expect(endpoint.size()).toBe(1);
    expect((await request('ping')).result).toEqual({});
  });

  test('a client that does not is cut off, and its calls stop', async () => {
    const { tools, seen } = slowTools();
    const { url, endpoint } = await servedOverWebSocket({ extra: { tools } }, { pingIntervalMs: 100 });
    const dead = await connectedWebSocket(url, { autoPong: false });
    await dead.open();
    dead.send({ id: 1, method: 'tools/call', params: call('test_wait', { ms: 20_000 }) });
    expect(await dead.closed).toBe(1006);
    await vi.waitFor(() => expect(seen.cancelled).toBe(1));
    expect(endpoint.size()).toBe(0);
  });

  test('a client in the middle of a long frame has some time more, but not for ever', async () => {
    const { url, endpoint } = await servedOverWebSocket({}, { pingIntervalMs: 100 });
    const { socket, closed } = await connectedWebSocket(url, { autoPong: false });
    const dribble = setInterval(() => socket.send('x', { fin: false }), 20);
    await sleep(300);
    expect(endpoint.size()).toBe(1);
    expect(await closed).toBe(1006);
    clearInterval(dribble);
  });
});

describe('a client that does not read', () => {
  const ask = (client: Awaited<ReturnType<typeof connectedWebSocket>>, count: number, ms = 0) => {
    for (let id = 0; id < count; id++)
      client.send({ id, method: 'tools/call', params: call('test_size', { bytes: 500_000, ms }) });
  };

  test('is not read from, is given up in the end, and others notice nothing', async () => {
    const { url, endpoint, logged } = await servedOverWebSocket(
      { extra: { tools: slowTools().tools } },
      { patienceMs: 400 },
    );
    const [slow, other] = await Promise.all([connectedWebSocket(url), connectedWebSocket(url)]);
    await Promise.all([slow.open(), other.open()]);
    slow.socket.pause();
    ask(slow, 40);
    await sleep(200);
    expect(endpoint.size()).toBe(2);
    const startedAt = performance.now();
    expect((await other.request('tools/list')).result.tools.length).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    await vi.waitFor(() => expect(endpoint.size()).toBe(1), { timeout: 5000 });
    expect(logged).toContain(UNREAD);
  });

  test('has no more calls made for it, however many it sends', async () => {
    const { tools, seen } = slowTools();
    const { url } = await servedOverWebSocket({ extra: { tools } });
    const slow = await connectedWebSocket(url);
    await slow.open();
    slow.socket.pause();
    const text = 'x'.repeat(90_000);
    for (let id = 0; id < 1000; id++) slow.send({ id, method: 'tools/call', params: call('test_echo', { text }) });
    let echoed: number;
    do {
      echoed = seen.echoed;
      await sleep(500);
    } while (seen.echoed === 0 || seen.echoed > echoed);
    expect(echoed).toBeLessThan(200);
  });

  test('hears why it was given up, if it reads again then', async () => {
    const { url, logged } = await servedOverWebSocket({ extra: { tools: slowTools().tools } }, { patienceMs: 100 });
    const slow = await connectedWebSocket(url);
    await slow.open();
    slow.socket.pause();
    ask(slow, 40);
    await vi.waitFor(() => expect(logged).toContain(UNREAD), { timeout: 10_000 });
    slow.socket.resume();
    expect(await slow.closed).toBe(1013);
  });

  test('gets no heap of pongs for a flood of pings', async () => {
    const { url, http, endpoint } = await servedOverWebSocket();
    const serverSide = once(http, 'upgrade');
    const slow = await connectedWebSocket(url);
    const [{ socket }] = await serverSide;
    slow.socket.pause();
    for (let round = 0; round < 150; round++) {
      for (let count = 0; count < 1000; count++) slow.socket.ping('x'.repeat(120));
      await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(slow.socket.bufferedAmount).toBe(0), { timeout: 20_000 });
    expect(socket.writableLength).toBeLessThan(5 * MIB);
    expect(endpoint.size()).toBe(1);
  });

  test('gets everything when it reads again in time', async () => {
    const { url, endpoint } = await servedOverWebSocket(
      { extra: { tools: slowTools().tools } },
      { pingIntervalMs: 50 },
    );
    const slow = await connectedWebSocket(url);
    await slow.open();
    slow.socket.pause();
    ask(slow, 40);
    await sleep(2500);
    slow.socket.resume();
    await vi.waitFor(() => expect(slow.messages).toHaveLength(41), { timeout: 10_000 });
    expect(endpoint.size()).toBe(1);
    expect((await slow.request('ping')).result).toEqual({});
  });

  test('is given up at once when too much has gathered', async () => {
    const { url, endpoint, logged } = await servedOverWebSocket({ extra: { tools: slowTools().tools } });
    const slow = await connectedWebSocket(url);
    await slow.open();
    slow.socket.pause();
    // All are under way before the first one is answered.
    ask(slow, 200, 500);
    await vi.waitFor(() => expect(endpoint.size()).toBe(0), { timeout: 10_000 });
    expect(logged).toContain(UNREAD);
  });
});
