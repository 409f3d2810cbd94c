import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetched, openEvents, openSession, until } from '../../support/http-requests.js';
import { type RunningServer, startHttpServer } from '../../support/http-server.js';

const LARGE = { name: 'test_size', arguments: { items: 99, length: 9000 } };
/** Longer than the comments that keep a stream alive are apart. */
const LONG_MS = 16_500;

let withSse: RunningServer;
let withStreams: RunningServer;
const sockets: Socket[] = [];

beforeAll(async () => {
  [withSse, withStreams] = await Promise.all([
    startHttpServer({ program: 'fixture' }),
    startHttpServer({ program: 'fixture' }),
  ]);
  await Promise.all([askForTheEnd(withSse.url), askForStreams(withStreams)]);
  await new Promise((resolve) => setTimeout(resolve, LONG_MS));
}, 40_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([withSse.stop(), withStreams.stop()]);
});

/** Leaves answers unread on `/sse`, and then shuts down. */
async function askForTheEnd(url: string): Promise<void> {
  const stream = await openEvents(`${url}/sse`);
  await until(() => stream.events.length > 0);
  const send = (message: object) =>
    fetched(`${url}${stream.events[0]?.data}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo };
  await send({ id: 0, method: 'initialize', params });
  stream.pause();
  for (let id = 1; id <= 6; id++) await send({ id, method: 'tools/call', params: LARGE });
  await send({ id: 9, method: 'shutdown' }).catch(() => {});
}

/** Asks for many long answers as events, one behind the other, and reads none. */
async function askForStreams({ url, port }: RunningServer): Promise<void> {
  const { id } = await openSession(url);
  for (let client = 0; client < 5; client++) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    sockets.push(socket);
    for (let call = 0; call < 20; call++) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: `${client}-${call}`, method: 'tools/call', params: LARGE });
      const head = ['POST /mcp HTTP/1.1', `Host: localhost:${port}`, 'Content-Type: application/json'];
      const rest = ['Accept: text/event-stream', `Mcp-Session-Id: ${id}`, `Content-Length: ${body.length}`, '', body];
      socket.write([...head, ...rest].join('\r\n'));
    }
  }
}

const isUp = async ({ url, process }: RunningServer) => {
  expect(process.exitCode).toBeNull();
  expect((await fetched(`${url}/healthz`)).status).toBe(200);
};

test('a client of /sse that asks for the end and never reads does not take the server with it', () => isUp(withSse));

test('a client that never reads the streams it asked for does not take the server with it', () => isUp(withStreams));
