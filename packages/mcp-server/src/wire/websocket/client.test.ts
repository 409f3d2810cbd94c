import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { servedOverWebSocket } from '../../../../../tests/support/websocket-client.js';
import { type JsonRpcMessage, type WebSocketClientOptions, WebSocketClientTransport } from './client.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

/** A transport that notes what happens to it. */
function noted(url: string, options: WebSocketClientOptions = {}) {
  const transport = new WebSocketClientTransport(url, options);
  const messages: JsonRpcMessage[] = [];
  const errors: string[] = [];
  const seen = { closed: 0 };
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = ({ message }) => void errors.push(message);
  transport.onclose = () => void seen.closed++;
  onTestFinished(() => transport.close());
  return { transport, messages, errors, seen };
}

/** A server that does as the test wishes. */
async function listening(onSocket: (socket: WebSocket) => void, options: object = {}) {
  const http = createServer();
  const webSockets = new WebSocketServer({ server: http, ...options });
  webSockets.on('connection', onSocket);
  onTestFinished(() => {
    for (const socket of webSockets.clients) socket.terminate();
    http.close();
  });
  return { url: await addressOf(http), webSockets };
}

async function addressOf(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sends and receives messages, with the headers it was given', async () => {
  let asked: unknown;
  const { url, webSockets } = await listening((socket) => socket.on('message', (data) => socket.send(data.toString())));
  webSockets.on('connection', (_socket, { headers }) => {
    asked = [headers.authorization, headers['sec-websocket-protocol'], headers['sec-websocket-extensions']];
  });
  const { transport, messages } = noted(url, { headers: { authorization: 'Bearer secret' } });
  await transport.start();
  await transport.send(PING);
  await vi.waitFor(() => expect(messages).toEqual([PING]));
  expect(asked).toEqual(['Bearer secret', 'mcp', undefined]);
});

test('a frame that is no message is reported, and the connection goes on', async () => {
  const { url } = await listening((socket) => {
    for (const text of ['{', '42', '{"id":1}', JSON.stringify([PING, PING])]) socket.send(text);
    socket.send(Buffer.from('{}'));
    socket.send(JSON.stringify(PING));
  });
  const { transport, messages, errors, seen } = noted(url);
  await transport.start();
  await vi.waitFor(() => expect(messages).toEqual([PING, PING, PING]));
  expect(errors).toHaveLength(4);
  expect(seen.closed).toBe(0);
});

test('a handler that throws is reported, and the connection goes on', async () => {
  const { url } = await listening((socket) => socket.on('message', (data) => socket.send(data.toString())));
  const { transport, errors, seen } = noted(url);
  transport.onmessage = () => {
    throw new Error('no good');
  };
  await transport.start();
  await transport.send(PING);
  await vi.waitFor(() => expect(errors).toEqual(['no good']));
  expect(seen.closed).toBe(0);
});

test('a message that is too long ends the connection', async () => {
  const { url } = await listening((socket) => socket.send('x'.repeat(2000)));
  const { transport, errors, seen } = noted(url, { maxPayloadBytes: 1000 });
  await transport.start();
  await vi.waitFor(() => expect(seen.closed).toBe(1));
  expect(errors).toEqual(['Max payload size exceeded']);
});

test('closing twice, or before the start, or after the end, closes once', async () => {
  const { url } = await servedOverWebSocket();
  const { transport, seen } = noted(url);
  await transport.start();
  await Promise.all([transport.close(), transport.close()]);
  await transport.close();
  expect(seen.closed).toBe(1);
  await expect(transport.send(PING)).rejects.toThrow('not open');
  await expect(transport.start()).rejects.toThrow('closed already');

  const unused = noted(url);
  await unused.transport.close();
  expect(unused.seen.closed).toBe(1);
  await expect(unused.transport.start()).rejects.toThrow('closed already');
});

test('closing while it connects ends the attempt', async () => {
  const silent = createTcpServer(() => {});
  const url = await addressOf(silent);
  onTestFinished(() => void silent.close());
  for (const waitMs of [0, 50]) {
    const { transport, seen } = noted(url);
    const started = transport.start();
    started.catch(() => {});
    if (waitMs > 0) await sleep(waitMs);
    await transport.close();
    await expect(started).rejects.toThrow('closed');
    expect(seen.closed).toBe(1);
  }
});

test('a second start is refused, and so is sending before the first', async () => {
  const { url } = await servedOverWebSocket();
  const { transport } = noted(url);
  await expect(transport.send(PING)).rejects.toThrow('not open');
  await transport.start();
  await expect(transport.start()).rejects.toThrow('started already');
});

test('a server that does not answer is given up in time', async () => {
  const silent = createTcpServer(() => {});
  const url = await addressOf(silent);
  onTestFinished(() => void silent.close());
  const { transport, seen } = noted(url, { connectTimeoutMs: 100 });
  await expect(transport.start()).rejects.toThrow('did not open a WebSocket within 100 ms');
  await vi.waitFor(() => expect(seen.closed).toBe(1));
});

test('a server that speaks another subprotocol, or refuses, fails the start', async () => {
  const other = await listening(() => {}, { handleProtocols: () => 'graphql-ws' });
  await expect(noted(other.url).transport.start()).rejects.toThrow('subprotocol');
  const full = await servedOverWebSocket({}, { maxConnections: 0 });
  await expect(noted(full.url).transport.start()).rejects.toThrow('429');
});

test('a server that has died is noticed by its silence', async () => {
  const alive = await listening(() => {});
  const dead = await listening(() => {}, { autoPong: false });
  const toAlive = noted(alive.url, { pingIntervalMs: 50 });
  const toDead = noted(dead.url, { pingIntervalMs: 50 });
  await Promise.all([toAlive.transport.start(), toDead.transport.start()]);
  await vi.waitFor(() => expect(toDead.seen.closed).toBe(1));
  await sleep(200);
  expect(toAlive.seen.closed).toBe(0);
});

test('sending waits while the server does not read, keeps the order, and fails when the end comes', async () => {
  const received: number[] = [];
  let server: WebSocket | undefined;
  const { url } = await listening((socket) => {
    server = socket;
    socket.pause();
    socket.on('message', (data) => received.push(JSON.parse(data.toString()).id));
  });
  const { transport } = noted(url);
  await transport.start();
  const padding = 'x'.repeat(1024 * 1024);
  let sent = 0;
  const sending = Array.from({ length: 30 }, async (_, id) => {
    await transport.send({ ...PING, id, params: { padding } } as JsonRpcMessage);
    sent += 1;
  });
  await sleep(200);
  expect(sent).toBeLessThan(20);
  server?.resume();
  await Promise.all(sending);
  await vi.waitFor(() => expect(received).toEqual(Array.from({ length: 30 }, (_, id) => id)));

  server?.pause();
  const failing = Array.from({ length: 30 }, () => transport.send({ ...PING, params: { padding } } as JsonRpcMessage));
  const outcomes = Promise.allSettled(failing);
  await sleep(100);
  server?.terminate();
  expect((await outcomes).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5);
});
