import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  envelopeOf,
  fetched,
  openEvents,
  openSession,
  post,
  postForEvents,
  rpc,
  stateless,
  until,
} from '../../support/http-requests.js';
import { type RunningServer, startHttp, startHttpServer } from '../../support/http-server.js';
import { connectedWebSocket } from '../../support/websocket-client.js';

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
});
afterAll(() => server.stop());

const call = (id: string | number, name: string, input: object, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input, _meta: meta },
});

const figure = async (name: string, at = url) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec((await fetched(`${at}/metrics`)).text)?.[1]);

describe('ids', () => {
  test('that two clients have in common do not cross answers or progress', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(url)));
    const answers = await Promise.all(
      sessions.flatMap(({ headers }, index) => [
        post(url, call(1, 'test_wait', { ms: 100 + index }, { progressToken: 1 }), headers),
        post(url, call('same', 'test_echo', { index }), headers),
      ]),
    );
    for (const index of sessions.keys()) {
      const [waited, echoed] = answers.slice(2 * index, 2 * index + 2);
      expect(waited?.messages.map(({ params }) => params?.progress)).toEqual([0, 1, undefined]);
      expect(waited?.message.result.structuredContent.data).toEqual({ waited: 100 + index });
      expect(echoed?.message.result.structuredContent.data.echo).toEqual({ index });
    }
  });

  test('that are reused in flight are refused, and the first is still answered', async () => {
    const { headers } = await openSession(url);
    const first = post(url, call('twice', 'test_wait', { ms: 500 }), headers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await post(url, call('twice', 'test_echo', {}), headers);
    expect(second.message).toMatchObject({ id: 'twice', error: { code: -32600 } });
    expect(envelopeOf(await first).data).toEqual({ waited: 500 });
  });

  test("of somebody else's calls cannot be cancelled", async () => {
    const [one, other] = [await openSession(url), await openSession(url)];
    const slow = post(url, call(77, 'test_wait', { ms: 600 }), one.headers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } };
    expect((await post(url, cancelled, other.headers)).status).toBe(202);
    const socket = await connectedWebSocket(`${url.replace('http', 'ws')}/ws`);
    await socket.open();
    socket.send({ method: 'notifications/cancelled', params: { requestId: 77 } });
    await socket.request('ping');
    expect(envelopeOf(await slow).data).toEqual({ waited: 600 });
  });
});

/** A client that begins something and does not go on. */
function stuck(text: string, port = server.port) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text.replaceAll('\n', '\r\n').replaceAll('PORT', String(port)));
  onTestFinished(() => void socket.destroy());
  return socket;
}

const HEAD = 'POST /mcp HTTP/1.1\nHost: localhost:PORT\nContent-Type: application/json\n';

test('clients that send slowly, stop in the middle or never read do not disturb others', {
  timeout: 40_000,
}, async () => {
  const own = await startHttp({ program: 'fixture' });
  const { headers } = await openSession(own.url);
  const before = await figure('process_resident_memory_bytes', own.url);
  const headersOnly = Array.from({ length: 50 }, () =>
    stuck('POST /mcp HTTP/1.1\nHost: localhost:PORT\nX-Slow: ', own.port),
  );
  for (let index = 0; index < 50; index++) {
    stuck(`${HEAD}Content-Length: 9000000\n\n{"jsonrpc"`, own.port);
    stuck('', own.port);
    stuck(`${HEAD}Transfer-Encoding: chunked\n\n5\n{"a":\n`, own.port);
  }
  const body = JSON.stringify(call(1, 'test_size', { items: 99, length: 9000 }));
  const asked = `${HEAD}Accept: text/event-stream\nMcp-Session-Id: ${headers['mcp-session-id']}\nContent-Length: ${body.length}\n\n${body}`;
  // One after another on each connection, and none of the answers is read.
  const deaf = Array.from({ length: 10 }, () => stuck(asked.repeat(20), own.port).pause());
  const dripping = setInterval(() => {
    for (const socket of headersOnly) socket.write('x');
  }, 500);
  const closed = Promise.all(headersOnly.map((socket) => new Promise((resolve) => socket.once('close', resolve))));

  const times = [];
  for (let index = 0; index < 40; index++) {
    const startedAt = performance.now();
    expect((await stateless(own.url, 'tools/call', { name: 'test_echo', arguments: { index } })).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  expect(times.sort((one, other) => one - other)[20]).toBeLessThan(500);
  expect((await figure('process_resident_memory_bytes', own.url)) - before).toBeLessThan(200e6);
  // Who does not get done with the headers is cut off.
  for (const socket of headersOnly) socket.resume();
  await closed;
  clearInterval(dripping);
  for (const socket of deaf) socket.destroy();
  expect((await fetched(`${own.url}/healthz`)).status).toBe(200);
});

test('300 sessions that are dropped without DELETE block nobody', async () => {
  const own = await startHttp({ program: 'fixture' });
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 30 }, () => openSession(own.url)));
  }
  expect(await figure('automatosx_sessions', own.url)).toBe(300);
  const { opening } = await openSession(own.url);
  expect(opening.status).toBe(200);
  expect(await figure('automatosx_requests_in_flight', own.url)).toBe(0);
});

test('300 streams that are dropped are freed', async () => {
  const own = await startHttp({ program: 'fixture' });
  for (let round = 0; round < 10; round++) {
    const streams = await Promise.all(Array.from({ length: 30 }, () => openEvents(`${own.url}/sse`)));
    const sockets = await Promise.all([1, 2, 3].map(() => connectedWebSocket(`${own.url.replace('http', 'ws')}/ws`)));
    for (const stream of streams) stream.close();
    for (const { socket } of sockets) socket.terminate();
  }
  await until(async () => (await figure('automatosx_sessions', own.url)) === 0);
  await until(async () => (await figure('automatosx_websockets', own.url)) === 0);
});

test('sessions are bounded: beyond that it is 429, with when to come again', { timeout: 60_000 }, async () => {
  const own = await startHttp({ program: 'fixture' });
  const opened = [];
  for (let round = 0; round < 21; round++) {
    opened.push(...(await Promise.all(Array.from({ length: 50 }, () => openSession(own.url)))));
  }
  expect(await figure('automatosx_sessions', own.url)).toBe(1000);
  const { opening } = opened.at(-1) as (typeof opened)[number];
  expect(opening).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    message: { error: { code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } } },
  });
  expect((await stateless(own.url, 'tools/list')).status).toBe(200);
  expect((await rpc(own.url, opened[0] as (typeof opened)[number], 'ping')).status).toBe(200);
});

test('more than 256 calls at once in one session are 429, and the others are answered', async () => {
  const session = await openSession(url);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => post(url, call(index, 'test_wait', { ms: 3000 }), session.headers)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(44);
  for (const answer of refused) {
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      message: { error: { code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } } },
    });
  }
  expect((await rpc(url, session, 'ping')).status).toBe(200);
});

test('streams that their client leaves unread do not hold up its session', async () => {
  const session = await openSession(url);
  const stream = await openEvents(`${url}/mcp`, { headers: session.headers });
  stream.pause();
  const waiting = await postForEvents(url, call('w', 'test_wait', { ms: 50 }, { progressToken: 1 }), session.headers);
  waiting.pause();
  expect((await rpc(url, session, 'ping')).status).toBe(200);
  stream.close();
});
