import type { Readable, Writable } from 'node:stream';
import type { Connection } from '../protocol/connection.js';
import { GRACE_MS } from '../protocol/connection-options.js';
import { RPC } from '../protocol/json-rpc.js';
import type { Server } from '../server.js';
import { createLineSplitter } from './lines.js';
import { createOutbox } from './outbox.js';

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves one client over a pair of streams, one message per line. */
export interface StdioConnection {
  /** Resolves when the client is gone or asked for the end, and everything is answered and flushed. */
  readonly closed: Promise<void>;
  /** Ends it from our side, for a signal. */
  close(): void;
}

export function serveStdio(server: Server, { input, output }: Streams): StdioConnection {
  let end: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  const outbox = createOutbox({ output, onFull: () => input.pause(), onDrained: () => input.resume() });
  const connection = server.connect({
    principal: 'user',
    isLocal: true,
    send: outbox.send,
    isFull: outbox.isFull,
    onShutdown: end,
  });
  const split = createLineSplitter(() => server.config().limits.request.maxRequestBytes);

  input.on('data', (chunk: Buffer) => {
    for (const line of split(chunk)) {
      if (line.kind === 'text') connection.receive(line.text, line.sizeBytes);
      else refuse(connection, line.kind, server.config().limits.request.maxRequestBytes);
    }
  });
  input.once('end', end);
  input.once('error', end);
  // The client has gone: nothing can be answered any more.
  output.on('error', end);

  const closed = ending.then(async () => {
    input.pause();
    await Promise.all([connection.drain(GRACE_MS), server.drain()]);
    if (output.writable) await outbox.flushed();
  });
  return { closed, close: end };
}

function refuse(connection: Connection, kind: 'too-large' | 'not-utf8', maxBytes: number): void {
  if (kind === 'too-large') connection.refuse(RPC.invalidRequest, `The request has more than ${maxBytes} bytes`);
  else connection.refuse(RPC.parseError, 'The message is not valid UTF-8');
}
