import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../log.js';
import { errorText } from '../../protocol/json-rpc.js';
import { Refusal } from './refusal.js';

/** Answers an upgrade that is not granted; at that point there is only the bare socket. */
export function refuseUpgrade(socket: Duplex, error: unknown, log: Log): void {
  const { status, error: reason, options } = toRefusal(error, log);
  const body = errorText(null, reason);
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/** What was not foreseen is a bug: it is logged, and the client learns no more than that. */
export function toRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  log('error', 'An HTTP request failed in a way the server did not foresee', { error });
  return Refusal.bug();
}
