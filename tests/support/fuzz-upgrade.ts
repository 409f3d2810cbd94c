import fc from 'fast-check';
import { expect } from 'vitest';
import { type RawSocket, rawSocket } from './raw-socket.js';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/** The request for a WebSocket; a header that is undefined is left out. */
export function upgradeRequest(port: number, changes: Readonly<Record<string, string | undefined>> = {}): Buffer {
  const { line = 'GET /ws HTTP/1.1', ...given } = changes;
  const headers = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': KEY,
    'Sec-WebSocket-Protocol': 'mcp',
    ...given,
  };
  const lines = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Buffer.from([line, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'));
}

/** What the server sent after it granted the upgrade. */
export function afterUpgrade(raw: RawSocket): Buffer {
  const bytes = raw.received();
  const end = bytes.indexOf('\r\n\r\n');
  return end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
}

/** A WebSocket at the level of bytes. */
export async function upgraded(port: number): Promise<RawSocket> {
  const raw = await rawSocket(port);
  await raw.send(upgradeRequest(port));
  await expect.poll(() => raw.received().includes('\r\n\r\n'), { timeout: 5000, interval: 1 }).toBe(true);
  expect(raw.received().toString('latin1')).toMatch(/^HTTP\/1\.1 101 /);
  return raw;
}

/** Requests for a WebSocket that are wrong in one way, so that none is granted. */
export const badUpgrade: fc.Arbitrary<Record<string, string | undefined>> = fc.constantFrom(
  { line: 'POST /ws HTTP/1.1' },
  { line: 'GET /wss HTTP/1.1' },
  { line: 'GET /mcp HTTP/1.1' },
  { Host: 'example.com' },
  { Origin: 'http://example.com' },
  { Origin: 'null' },
  { 'Sec-WebSocket-Key': undefined },
  { 'Sec-WebSocket-Key': 'short' },
  { 'Sec-WebSocket-Version': '12' },
  { 'Sec-WebSocket-Version': undefined },
  { 'Sec-WebSocket-Protocol': 'other' },
  { 'Sec-WebSocket-Protocol': ',' },
);
