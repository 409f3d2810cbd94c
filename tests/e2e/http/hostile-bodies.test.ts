import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetched, type Headers, type OpenSession, openSession, post, rpc } from '../../support/http-requests.js';
import { type RunningServer, startHttpServer } from '../../support/http-server.js';
import { connectedWebSocket } from '../../support/websocket-client.js';

let server: RunningServer;
let url: string;
let session: OpenSession;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
  session = await openSession(url);
});
let logged: number;
beforeEach(() => {
  logged = server.stderr().length;
});
afterEach(async () => {
  // Whatever was sent, the server is alive, its session is there, and it has told nobody of a bug.
  expect((await rpc(url, session, 'ping')).status).toBe(200);
  expect(server.stderr().slice(logged)).toBe('');
});
afterAll(() => server.stop());

const MAX = 10_485_760;
const DEPTH = 100_000;
const nested = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`;
const callText = (input: string) =>
  `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"test_echo","arguments":${input}}}`;
const send = (body: string | Buffer, headers: Headers = {}) =>
  fetched(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers, ...headers },
    body,
  });

/** Sends a head and then as much as the server takes; gives what it says to that. */
const pour = (head: string, chunk: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
      socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
    );
    const go = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', go);
    go();
  });

const BLOCK = Buffer.alloc(65_536, '{');

describe('a body over the limit is 413, which the client gets to read even while it sends', () => {
  test.each([1, 2, 3, 4, 5, 6])('by its Content-Length (%i)', async () => {
    expect(await pour(`Content-Length: ${3 * MAX}`, BLOCK)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":-32600/);
  });

  test.each([1, 2, 3])('in chunks (%i)', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
    expect(await pour('Transfer-Encoding: chunked', chunk)).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":-32600/);
  });

  test('and on a WebSocket -32600', async () => {
    const socket = await connectedWebSocket(`${url.replace('http', 'ws')}/ws`);
    await socket.open();
    socket.socket.send('{'.repeat(MAX + 1));
    expect((await socket.until(({ id }) => id === null)).error?.code).toBe(-32600);
  });
});

test('a body of exactly the limit is read', async () => {
  const text = callText('{"text":""}');
  const answer = await send(text.replace('""', `"${'x'.repeat(MAX - text.length)}"`));
  expect(answer.message.result.structuredContent.error.code).toBe('INVALID_INPUT');
});

test.each([
  ['100,000 levels in the arguments', callText(`{"a":${nested}}`), 200],
  ['100,000 levels in the params', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested}}`, 200],
  ['100,000 levels in the id', `{"jsonrpc":"2.0","id":${nested},"method":"ping"}`, 400],
  ['100,000 levels and nothing else', nested, 400],
  ['100,000 levels, half of them', '['.repeat(DEPTH), 400],
  ['a million keys', callText(keys(1_000_000)), 400],
  ['a number beyond all numbers', callText('{"a":1e999}'), 200],
  ['half a character', callText('{"a":"\\ud800"}'), 200],
  ['nothing', '', 400],
  ['no JSON', '{"jsonrpc"', 400],
  ['no object', '"ping"', 400],
])('%s: refused', async (_what, body, status) => {
  const answer = await send(body);
  expect(answer.status).toBe(status);
  expect(answer.message.error?.code ?? answer.message.result.structuredContent.error.code).toBeDefined();
});

test.each([[[0x80]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]], [[0xf0, 0x9f, 0x98]]])(
  'bytes that are not UTF-8 (%j) are 400 and -32700',
  async (bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from(bytes),
      Buffer.from('"}'),
    ]);
    expect(await send(body)).toMatchObject({ status: 400, message: { id: null, error: { code: -32700 } } });
  },
);

test('an id of nine million characters is answered or refused, and is no bug', async () => {
  const answer = await send(`{"jsonrpc":"2.0","id":"${'x'.repeat(9_000_000)}","method":"no/such"}`);
  expect(answer.status).toBeLessThan(500);
});

test('what is compressed is 415 and stays so', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'));
  for (const encoding of ['gzip', 'deflate', 'br', 'x', 'identity, gzip']) {
    expect((await send(bomb, { 'content-encoding': encoding })).status).toBe(415);
  }
});

describe.each(['__proto__', 'constructor', 'prototype'])('%s', (name) => {
  test('as a header, tool, method, argument or query is nothing special', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { ...session.headers, [`x-${name}`]: '1' };
    Object.defineProperty(headers, name, { value: 'polluted', enumerable: true });
    expect((await post(url, ping, headers)).message.result).toEqual({});
    expect((await post(url, ping, { 'mcp-session-id': name })).status).toBe(404);
    expect((await rpc(url, session, 'tools/call', { name, arguments: {} })).message.error?.code).toBe(-32602);
    expect((await rpc(url, session, name)).message.error?.code).toBe(-32601);
    const listed = await send(callText(`{"${name}":{"polluted":true}}`).replace('test_echo', 'memory_list'));
    expect(listed.message.result.structuredContent.error.code).toBe('INVALID_INPUT');
    expect((await fetched(`${url}/messages?${name}=1`, { method: 'POST' })).status).toBe(400);
    expect((await fetched(`${url}/${name}`)).status).toBe(404);
  });
});
