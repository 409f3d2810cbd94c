import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { HIGH_WATER_BYTES } from './high-water.js';

/** How often the other side is asked whether it is still there. */
export const PING_INTERVAL_MS = 15_000;

/** No pong can overtake a long frame on its way, so for this many pings bytes will do as a sign of life. */
const MAX_UNANSWERED = 4;

/**
 * Ends the connection when the other side no longer answers: a broken network closes nothing by itself. Answers its
 * pings too (`autoPong` is off), unless it does not read: a flood of pings must not become a heap of pongs.
 */
export function startHeartbeat(webSocket: WebSocket, socket: Socket, intervalMs: number): void {
  let unanswered = 0;
  let bytesSeen = 0;

  const beat = () => {
    const hasSpoken = socket.bytesRead > bytesSeen;
    bytesSeen = socket.bytesRead;
    // While nothing is read from it, it cannot be heard.
    if (webSocket.isPaused) unanswered = 0;
    else if (unanswered === MAX_UNANSWERED || (unanswered > 0 && !hasSpoken)) webSocket.terminate();
    else {
      unanswered += 1;
      webSocket.ping();
    }
  };

  // Judged after a look at the network: when this process itself was busy for long, the pong may lie there unread.
  const timer = setInterval(() => setImmediate(beat), intervalMs);
  webSocket.on('pong', () => {
    unanswered = 0;
  });
  webSocket.on('ping', (data) => {
    if (webSocket.bufferedAmount <= HIGH_WATER_BYTES) webSocket.pong(data);
  });
  webSocket.once('close', () => clearInterval(timer));
}
