import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rawSocket } from '../../../../../tests/support/raw-socket.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';
import { connectedWebSocket } from '../../../../../tests/support/websocket-client.js';
import { Refusal, toRefusal } from './refusal.js';
import { isWebSocket, refuseSocket } from './upgrade.js';

const HANDSHAKE =
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** What comes back to these lines. */
async function saidTo(url: string, lines: string): Promise<string> {
  const { send, received, closed } = await rawSocket(Number(new URL(url).port));
  await send(Buffer.from(lines));
  await closed;
  return received().toString();
}

describe('a WebSocket', () => {
  test('is let in at /ws', async () => {
    const { url, server } = await servedHttp();
    const { open, request } = await connectedWebSocket(`${url.replace('http', 'ws')}/ws?a=b`);
    await open();
    expect((await request('ping')).result).toEqual({});
    expect(server.metrics.text()).toContain('automatosx_websockets 1\n');
  });

  test.each([
    ['another path', '/mcp', undefined, '404'],
    ['another Host', '/ws', 'evil.example', '403'],
  ])('at %s is refused', async (_what, path, named, status) => {
    const { url } = await servedHttp();
    const host = named ?? new URL(url).host;
    const text = await saidTo(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${HANDSHAKE}\r\n`);
    expect(text.split(' ')[1]).toBe(status);
    expect(text).toContain('"code":-32600');
  });

  test('without the token that is needed is refused, and told how to get one', async () => {
    const { url } = await servedHttp({ environment: { AUTOMATOSX_TOKEN: 'right' } });
    const text = await saidTo(url, `GET /ws HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${HANDSHAKE}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toMatch(/\r\nwww-authenticate: Bearer/i);
    const headers = { authorization: 'Bearer right' };
    const { open } = await connectedWebSocket(`${url.replace('http', 'ws')}/ws`, { headers });
    expect((await open()).result.protocolVersion).toBe('2025-11-25');
  });

  test.each([
    ['websocket', true],
    ['WebSocket', true],
    ['h2c', false],
    [undefined, false],
  ])('is what %j asks for: %j', (upgrade, isOne) => {
    expect(isWebSocket({ headers: { upgrade } } as Parameters<typeof isWebSocket>[0])).toBe(isOne);
  });
});

test('an offer of another protocol is passed over, and the request served as if there were none', async () => {
  const { url } = await servedHttp();
  const { host } = new URL(url);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'a',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'ä', version: '1' } },
  });
  const { send, received } = await rawSocket(Number(new URL(url).port));
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  await send(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`));
  await vi.waitFor(() => expect(received().toString()).toContain('"protocolVersion":"2025-11-25"'));
  expect(received().toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('what nobody foresaw is logged, and the client learns no more than that', async () => {
  const log = vi.fn();
  const error = new TypeError('/home/ada/secret');
  const http = createServer().on('upgrade', (_request, socket) => refuseSocket(socket, error, log));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const text = await saidTo(url, `GET /ws HTTP/1.1\r\nHost: a\r\n${HANDSHAKE}\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 500 /);
  expect(text).toContain('"Internal error"');
  expect(text).not.toContain('secret');
  expect(log).toHaveBeenCalledExactlyOnceWith('error', expect.any(String), { error });
});

test('a refusal is passed on as it is, and is no news to the log', () => {
  const log = vi.fn();
  const refusal = Refusal.of(404, 'no');
  expect(toRefusal(refusal, log)).toBe(refusal);
  expect(log).not.toHaveBeenCalled();
});
