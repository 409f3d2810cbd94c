import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import type { Log } from '../../log.js';
import type { Caller } from '../../protocol/admission.js';
import { GRACE_MS } from '../../protocol/connection-options.js';
import { RPC } from '../../protocol/json-rpc.js';
import type { Server } from '../../server.js';
import { within } from '../../within.js';
import { startHeartbeat } from './heartbeat.js';
import { createOutbox } from './outbox.js';

/** Codes of RFC 6455. */
const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  unsupported: 1003,
  notUtf8: 1007,
  tooBig: 1009,
  tryLater: 1013,
} as const;

/** At the end a client that takes nothing for this long is cut off. */
const CLOSING_MS = 2000;

/** What `ws` finds wrong with a frame, told before it closes the connection for it. */
export interface FrameChecks {
  onBadFrame: (code: number) => void;
}

interface SocketOptions {
  readonly server: Server;
  readonly log: Log;
  readonly pingIntervalMs: number;
  readonly patienceMs: number;
}

interface Arrival {
  readonly webSocket: WebSocket & FrameChecks;
  readonly socket: Socket;
  readonly caller: Caller;
}

/** One client over a WebSocket, one message or batch per text frame. */
export interface ServedSocket {
  readonly principal: string;
  readonly closed: Promise<void>;
  /** Lets what is under way end within the grace, sends its answers and says goodbye. */
  end(graceMs: number): Promise<void>;
}

export function serveSocket({ webSocket, socket, caller }: Arrival, options: SocketOptions): ServedSocket {
  const { server, log, pingIntervalMs, patienceMs } = options;
  const closed = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
  const leave = (code: number, reason: string) => closeSocket(webSocket, { code, reason, closed });

  const onStuck = () => {
    log('warn', 'A WebSocket client does not read what it is sent', { principal: caller.principal });
    void leave(CLOSE.tryLater, 'Too much is unread');
  };
  const send = createOutbox({ webSocket, socket, patienceMs, onStuck });

  const finish = async (code: number, graceMs: number) => {
    await connection.drain(graceMs);
    // What has ended just now is answered in this turn.
    await new Promise(setImmediate);
    await leave(code, 'The server has ended the connection');
  };
  const onShutdown = () => void finish(CLOSE.normal, GRACE_MS);
  const connection = server.connect({ ...caller, send, onShutdown });

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (isBinary) return void leave(CLOSE.unsupported, 'Messages are text frames');
    // What arrives is a Buffer: the socket's binaryType is never changed.
    const bytes = data as Buffer;
    void connection.receive(bytes.toString('utf8'), bytes.length);
  });
  webSocket.onBadFrame = (code) => {
    const { maxRequestBytes } = server.config().limits.request;
    if (code === CLOSE.tooBig)
      connection.refuse(RPC.invalidRequest, `The request has more than ${maxRequestBytes} bytes`);
    if (code === CLOSE.notUtf8) connection.refuse(RPC.parseError, 'The message is not valid UTF-8');
  };
  webSocket.on('error', (error) => {
    log('debug', 'A WebSocket failed', { error });
    // It is closing already; this sees to it that it ends.
    void leave(CLOSE.normal, '');
  });
  startHeartbeat(webSocket, socket, pingIntervalMs);
  // Nobody is left to hear the answers.
  void closed.then(connection.abandon);

  return { principal: caller.principal, closed, end: (graceMs) => finish(CLOSE.goingAway, graceMs) };
}

interface Closing {
  readonly code: number;
  readonly reason: string;
  readonly closed: Promise<void>;
}

/** Says goodbye behind all that was sent, and waits as long as the client goes on reading. */
async function closeSocket(webSocket: WebSocket, { code, reason, closed }: Closing): Promise<void> {
  webSocket.close(code, reason);
  // The client's own goodbye has to be heard.
  webSocket.resume();
  let left: number;
  do left = webSocket.bufferedAmount;
  while (!(await within(CLOSING_MS, closed)) && webSocket.bufferedAmount < left);
  webSocket.terminate();
}
