import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetched, type Headers, openSession, rpc } from '../../../../../tests/support/http-requests.js';
import { rawSocket } from '../../../../../tests/support/raw-socket.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';

const TOKEN = { environment: { AUTOMATOSX_TOKEN: 'right' } };
const RIGHT = { authorization: 'Bearer right' };

describe('without a token, where one is needed', () => {
  test.each(['/mcp', '/sse', '/messages', '/metrics', '/unknown'])('%s is refused', async (path) => {
    const { url } = await servedHttp(TOKEN);
    const { status, headers } = await fetched(`${url}${path}`);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test.each([
    ['/healthz', '{"status":"ok"}'],
    ['/readyz', '{"status":"ready"}'],
  ])('%s is told to anybody', async (path, text) => {
    const { url } = await servedHttp(TOKEN);
    const given = await fetched(`${url}${path}`);
    expect([given.status, given.text]).toEqual([200, text]);
  });
});

test('what cannot be served now says so to who asks whether it is ready, and still lives', async () => {
  const { url, home } = await servedHttp();
  mkdirSync(join(home, 'automatosx.db'));
  const ready = await fetched(`${url}/readyz`);
  expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: 'unavailable', reason: expect.any(String) }]);
  expect((await fetched(`${url}/healthz`)).status).toBe(200);
});

test('figures are told in the format of Prometheus', async () => {
  const { url } = await servedHttp(TOKEN);
  const session = await openSession(url, { headers: RIGHT });
  await rpc(url, session, 'tools/call', { name: 'memory_list', arguments: {} });
  const { status, headers, text } = await fetched(`${url}/metrics`, { headers: RIGHT });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(text).toContain('automatosx_tool_calls_total{tool="memory_list",outcome="success"} 1\n');
  expect(text).toContain('automatosx_sessions 1\n');
  expect(text).toContain('automatosx_websockets 0\n');
});

test('what is not there is 404, and a query changes nothing', async () => {
  const { url } = await servedHttp();
  expect((await fetched(`${url}/unknown`)).status).toBe(404);
  expect((await fetched(`${url}/metrics?a=b`)).status).toBe(200);
});

test('the place of WebSockets says what it is for, to who does not ask for one', async () => {
  const { url } = await servedHttp();
  const { status, headers } = await fetched(`${url}/ws`);
  expect([status, headers.upgrade]).toEqual([426, 'websocket']);
});

describe('a page in a browser', () => {
  const settings = { server: { allowedOrigins: ['https://page.example'] } };
  const origin = 'https://page.example';

  test('that is allowed may ask first, and is told what it may send and read', async () => {
    const { url } = await servedHttp({ settings, ...TOKEN });
    const { status, headers } = await fetched(`${url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-headers': 'mcp-session-id, authorization' },
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'mcp-session-id, authorization',
      vary: 'Origin',
    });
  });

  test('that is allowed may read refusals too', async () => {
    const { url } = await servedHttp({ settings, ...TOKEN });
    const { status, headers } = await fetched(`${url}/mcp`, { headers: { origin } });
    expect([status, headers['access-control-allow-origin']]).toEqual([401, origin]);
    expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });

  test('that is not allowed may do nothing, and neither may another name of this machine', async () => {
    const { url } = await servedHttp({ settings });
    const strangers: Headers[] = [{ origin: 'https://other.example' }, { origin: 'null' }, { host: 'evil.example' }];
    for (const headers of strangers) {
      const given = await fetched(`${url}/healthz`, { headers });
      expect([given.status, given.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });
});

test('who is refused can be found in the log, with the reason and nothing that they sent', async () => {
  const { url, logged } = await servedHttp(TOKEN);
  await fetched(`${url}/mcp?secret=1`, { headers: { authorization: 'Bearer wrong' } });
  expect(logged).toEqual(['info: An HTTP request was refused']);
});

test('who is refused while still sending gets the answer, and the connection ends', async () => {
  const { url } = await servedHttp(TOKEN);
  const { send, received, closed } = await rawSocket(Number(new URL(url).port));
  const host = new URL(url).host;
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`;
  await send(Buffer.from(`${head}${'x'.repeat(1000)}`));
  await sleep(50);
  await send(Buffer.alloc(1000, 'x'));
  await closed;
  const text = received().toString();
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
  expect(text).toMatch(/\r\nconnection: close\r\n/i);
  expect(text).toContain('"code":-32600');
});

test('what nobody foresaw is logged, and the client learns nothing of it', async () => {
  const { url, server, logged } = await servedHttp();
  server.metrics.gauge('broken', 'A figure that cannot be told', () => {
    throw new TypeError('/home/ada/secret');
  });
  const text = await fetched(`${url}/metrics`).then(
    (answer) => answer.text,
    (error: Error) => error.message,
  );
  expect(text).not.toContain('secret');
  expect(logged).toContain('error: An HTTP request failed in a way the server did not foresee');
  expect((await fetched(`${url}/healthz`)).status).toBe(200);
});
