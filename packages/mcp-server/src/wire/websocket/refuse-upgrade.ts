import type { Duplex } from 'node:stream';
import { errorText, type RpcError } from '../../protocol/json-rpc.js';

interface UpgradeRefusal {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request to upgrade with an ordinary response, and ends its connection. */
export function refuseUpgrade(socket: Duplex, { status, error, headers }: UpgradeRefusal): void {
  const body = errorText(null, error);
  const fields = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  // Whoever is gone before the answer arrives is no concern of ours.
  socket.on('error', () => {});
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`);
}
