import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../log.js';
import type { Caller } from '../../protocol/admission.js';
import { RPC, RpcError } from '../../protocol/json-rpc.js';
import type { Server } from '../../server.js';
import { PING_INTERVAL_MS } from './heartbeat.js';
import { refuseUpgrade } from './refuse-upgrade.js';
import { type FrameChecks, type ServedSocket, serveSocket } from './serve-socket.js';
import { SUBPROTOCOL } from './subprotocol.js';

const MAX_CONNECTIONS = 1000;
const RETRY_SECONDS = 5;
/** How long a client may leave too much unread. */
const PATIENCE_MS = 30_000;

export interface WebSocketOptions {
  readonly server: Server;
  readonly log: Log;
  readonly maxConnections?: number;
  readonly pingIntervalMs?: number;
  readonly patienceMs?: number;
}

interface WebSocketEndpoint {
  /** Takes over the socket of a request whose Host, Origin and token have been checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void;
  /** Ends all connections, each after what is under way in it. */
  close(graceMs: number): Promise<void>;
  size(): number;
}

/** Serves any number of clients over WebSockets that an HTTP server was asked for. */
export async function createWebSocketEndpoint(options: WebSocketOptions): Promise<WebSocketEndpoint> {
  const { server, log, maxConnections = MAX_CONNECTIONS } = options;
  const { pingIntervalMs = PING_INTERVAL_MS, patienceMs = PATIENCE_MS } = options;
  const webSockets = await createUpgrader();
  const served = new Set<ServedSocket>();
  let isClosing = false;

  /** Where there are several principals, one leaves at least half of the places to the others. */
  const hasShare = ({ principal, isLocal }: Caller): boolean =>
    !isLocal && [...served].filter((socket) => socket.principal === principal).length >= maxConnections / 2;

  const serve = (socket: ServedSocket) => {
    served.add(socket);
    void socket.closed.then(() => served.delete(socket));
  };

  return {
    upgrade: (request, stream, head, caller) => {
      if (isClosing) return refuseUpgrade(stream, stopping());
      if (served.size >= maxConnections || hasShare(caller)) return refuseUpgrade(stream, tooMany());
      if (!speaksOurs(request)) return refuseUpgrade(stream, otherSubprotocol());
      webSockets.options.maxPayload = server.config().limits.request.maxRequestBytes;
      webSockets.handleUpgrade(request, stream, head, (webSocket) =>
        serve(serveSocket({ webSocket, socket: request.socket, caller }, { server, log, pingIntervalMs, patienceMs })),
      );
    },
    close: async (graceMs) => {
      isClosing = true;
      await Promise.all([...served].map((socket) => socket.end(graceMs)));
    },
    size: () => served.size,
  };
}

/** Loaded only here: a server on stdio starts without it. */
async function createUpgrader() {
  const { WebSocket, WebSocketServer } = await import('ws');
  class CheckedWebSocket extends WebSocket implements FrameChecks {
    onBadFrame: (code: number) => void = () => {};

    /** Without a reason it is `ws` that closes, for a frame that it refuses: the last moment to answer. */
    override close(code?: number, reason?: string | Buffer): void {
      if (code !== undefined && reason === undefined) this.onBadFrame(code);
      super.close(code, reason);
    }
  }
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    // A small frame must not become a large message.
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
    WebSocket: CheckedWebSocket,
  });
}

/** A client that names subprotocols names ours among them. */
function speaksOurs({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol'];
  return offered === undefined || offered.split(',').some((name) => name.trim() === SUBPROTOCOL);
}

const otherSubprotocol = () => ({
  status: 400,
  error: new RpcError(RPC.invalidRequest, `The subprotocol is ${SUBPROTOCOL}`),
});

const RETRY = { 'retry-after': String(RETRY_SECONDS) };

const tooMany = () => ({
  status: 429,
  headers: RETRY,
  error: new RpcError(RPC.busy, 'Too many connections are open', {
    code: 'RATE_LIMITED',
    retryAfterMs: RETRY_SECONDS * 1000,
  }),
});

const stopping = () => ({
  status: 503,
  headers: RETRY,
  error: new RpcError(RPC.busy, 'The server is shutting down', { code: 'SERVICE_UNAVAILABLE' }),
});
