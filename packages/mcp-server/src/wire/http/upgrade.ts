import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../log.js';
import { refuseUpgrade } from '../websocket/refuse-upgrade.js';
import { toRefusal } from './refusal.js';

/** Answers an upgrade that is not granted. */
export function refuseSocket(socket: Duplex, failure: unknown, log: Log): void {
  const { status, error, options } = toRefusal(failure, log);
  refuseUpgrade(socket, { status, error, ...(options.headers && { headers: options.headers }) });
}

/** Headers that speak of the upgrade alone. */
const OF_UPGRADE = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Serves a request that offers another protocol than ours as if it had not, as a server may (RFC 9110): some clients offer
 * HTTP/2 with every first request. Node hands such a connection over as bytes, so it is given back with its head.
 */
export function serveWithoutUpgrade(http: HttpServer, request: IncomingMessage, { socket, head }: Offered): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!OF_UPGRADE.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  http.emit('connection', socket);
}

interface Offered {
  readonly socket: Duplex;
  readonly head: Buffer;
}

export const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';
