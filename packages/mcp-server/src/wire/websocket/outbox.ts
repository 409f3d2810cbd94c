import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { HIGH_WATER_BYTES } from './high-water.js';

/** Calls that are under way go on answering while no input is taken. At this much the client is given up. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface OutboxOptions {
  readonly webSocket: WebSocket;
  readonly socket: Socket;
  /** How long a client may leave more than the high-water mark unread. */
  readonly patienceMs: number;
  readonly onStuck: () => void;
}

/** Sends one message per frame. A client that does not read is not read from, and in the end given up. */
export function createOutbox({ webSocket, socket, patienceMs, onStuck }: OutboxOptions): (message: string) => void {
  let stuckTimer: NodeJS.Timeout | undefined;
  let isCorked = false;

  const giveUp = () => {
    clearTimeout(stuckTimer);
    if (webSocket.readyState === webSocket.OPEN) onStuck();
  };
  const full = () => {
    webSocket.pause();
    stuckTimer = setTimeout(giveUp, patienceMs);
  };
  const drained = () => {
    clearTimeout(stuckTimer);
    stuckTimer = undefined;
    webSocket.resume();
  };
  const written = () => {
    if (stuckTimer && webSocket.bufferedAmount <= HIGH_WATER_BYTES) drained();
  };
  // The answers of one turn leave in one write.
  const cork = () => {
    isCorked = true;
    socket.cork();
    queueMicrotask(() =>
      process.nextTick(() => {
        isCorked = false;
        socket.uncork();
      }),
    );
  };

  webSocket.once('close', () => clearTimeout(stuckTimer));
  return (message) => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (!isCorked) cork();
    webSocket.send(message, written);
    if (webSocket.bufferedAmount > MAX_BYTES) giveUp();
    else if (!stuckTimer && webSocket.bufferedAmount > HIGH_WATER_BYTES) full();
  };
}
