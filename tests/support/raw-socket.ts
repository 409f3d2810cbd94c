import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection at the level of bytes, for what no client library would send. */
export interface RawSocket {
  readonly socket: Socket;
  /** Resolves when the connection is over, in whatever way. */
  readonly closed: Promise<void>;
  /** Everything that came so far. */
  received(): Buffer;
  /** Writes the bytes in several pieces, cut at these places. */
  send(bytes: Uint8Array, cuts?: readonly number[]): Promise<void>;
}

export async function rawSocket(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const chunks: Buffer[] = [];
  // A connection may also end by being reset: that is an end like any other.
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Whoever is told goodbye says it too.
  socket.on('end', () => socket.end());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    socket,
    closed,
    received: () => Buffer.concat(chunks),
    send: async (bytes, cuts = []) => {
      let start = 0;
      for (const end of [...[...cuts].sort((one, other) => one - other), bytes.length]) {
        if (socket.writable) socket.write(bytes.subarray(start, end));
        start = Math.min(end, bytes.length);
        await new Promise(setImmediate);
      }
    },
  };
}

/** The promise's value, or an error that says what did not happen in time. */
export async function inTime<T>(what: string, promise: Promise<T>, ms = 5000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
