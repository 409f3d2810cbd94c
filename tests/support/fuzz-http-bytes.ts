import fc from 'fast-check';
import { hostileLine } from './hostile-lines.js';

const METHODS = [
  'GET',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PUT',
  'PATCH',
  'CONNECT',
  'TRACE',
  'PRI',
  'get',
  'FOO',
  '',
];
const PATHS = [
  '/mcp',
  '/sse',
  '/messages',
  '/messages?sessionId=none',
  '/messages?sessionId=%',
  '/ws',
  '/metrics',
  '/healthz',
  '/readyz',
  '/.well-known/oauth-protected-resource',
  '*',
  '//',
  '/%',
  '/mcp/../mcp',
  'http://127.0.0.1/mcp',
  'http://[',
  '/\u0000',
  '',
];
const HEADERS = [
  'Accept: text/event-stream',
  'Accept: text/plain',
  'Accept:',
  'Authorization: Bearer ',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'Content-Encoding: gzip',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: text/plain',
  'Expect: 100-continue',
  'Expect: miracles',
  'Host: example.com',
  'Last-Event-ID: own.999999',
  'Last-Event-ID: \u00ff.1',
  'Mcp-Method: tools/call',
  'Mcp-Name: =?base64?!?=',
  'Mcp-Session-Id: none',
  'Mcp-Session-Id: 0\r\nMcp-Session-Id: 1',
  'MCP-Protocol-Version: 2026-07-28',
  'MCP-Protocol-Version: 1999-01-01',
  'Origin: null',
  'Origin: http://example.com',
  `X-Long: ${'x'.repeat(20_000)}`,
  ...[' folded: 1', 'No colon', 'Bad name: 1', ': 1', 'X: \u0000', 'X: a\nY: b', 'Transfer-Encoding: gzip, chunked'],
];

const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));

/** What the body says of its own length, mostly wrongly, and the body as it then goes out. */
const framed = fc
  .tuple(hostileLine, fc.integer({ min: 0, max: 14 }), fc.nat(30))
  .map(([body, kind, number]): readonly [string, Buffer] => {
    const chunk = (size: string, end = '\r\n') => Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(end)]);
    const chunked = 'Transfer-Encoding: chunked';
    const hex = body.length.toString(16);
    const last = Buffer.from('0\r\n\r\n');
    const ways: readonly (readonly [string, Buffer])[] = [
      [`Content-Length: ${body.length}`, body],
      [`Content-Length: ${body.length + number}`, body],
      [`Content-Length: ${Math.max(0, body.length - number)}`, body],
      ['Content-Length: -1', body],
      ['Content-Length: 99999999999999999999', body],
      ['Content-Length: 20000000', body],
      [`Content-Length: ${body.length}\r\nContent-Length: ${number}`, body],
      [`Content-Length: ${number}\r\n${chunked}`, Buffer.concat([chunk(hex), last])],
      [chunked, Buffer.concat([chunk(hex), last])],
      [
        chunked,
        Buffer.concat([chunk(`${hex};extension="${'x'.repeat(number)}"`), Buffer.from('0\r\nTrailer: 1\r\n\r\n')]),
      ],
      [chunked, chunk(hex)],
      [chunked, Buffer.concat([chunk(hex, ''), last])],
      [chunked, chunk('ffffffffffffffffff')],
      [chunked, chunk('-1')],
      [chunked, chunk('xyz')],
    ];
    return ways[kind] as readonly [string, Buffer];
  });

/** A request that is almost one. The port has to be known for its `Host`. */
export const hostileRequest = (port: number): fc.Arbitrary<Buffer> =>
  fc
    .record({
      method: fc.oneof({ weight: 3, arbitrary: fc.constant('POST') }, fc.constantFrom(...METHODS)),
      path: fc.oneof(fc.constant('/mcp'), fc.constantFrom(...PATHS), fc.string({ maxLength: 10 })),
      version: fc.oneof({ weight: 9, arbitrary: fc.constant('HTTP/1.1') }, fc.constantFrom('HTTP/1.0', 'HTTP/9.9', '')),
      headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 4 }),
      framed,
      hasHost: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ method, path, version, headers, framed: [length, body], hasHost }) => {
      const host = hasHost > 0 ? [`Host: 127.0.0.1:${port}`] : [];
      const lines = [
        `${method} ${path} ${version}`,
        ...host,
        'Content-Type: application/json',
        ...headers,
        length,
        '',
        '',
      ];
      return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
    });

/** What comes over one connection: requests that are almost right, one after the other, cut off or garbled, or noise. */
export const hostileBytes = (port: number): fc.Arbitrary<Buffer> => {
  const several = fc.array(hostileRequest(port), { minLength: 1, maxLength: 4 }).map((all) => Buffer.concat(all));
  const truncated = fc.tuple(several, fc.nat(2000)).map(([bytes, at]) => bytes.subarray(0, at % bytes.length));
  const garbled = fc.tuple(several, fc.nat(2000), fc.nat(255)).map(([bytes, at, byte]) => {
    const copy = Buffer.from(bytes);
    copy[at % copy.length] = byte;
    return copy;
  });
  return fc.oneof(
    { weight: 4, arbitrary: several },
    { weight: 2, arbitrary: truncated },
    { weight: 2, arbitrary: garbled },
    { weight: 1, arbitrary: noise },
  );
};
