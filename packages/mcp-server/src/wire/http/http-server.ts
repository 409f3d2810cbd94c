import type { IncomingMessage, Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../log.js';
import { GRACE_MS } from '../../protocol/connection-options.js';
import type { Server } from '../../server.js';
import { createWebSocketEndpoint } from '../websocket/server.js';
import { type AccessOptions, checkAddress, checkToken, isGuarded, isLoopback } from './access.js';
import { createOAuth } from './oauth.js';
import { Refusal } from './refusal.js';
import { createRoutes } from './routes.js';
import { createSessions } from './sessions.js';
import { isWebSocket, refuseSocket, serveWithoutUpgrade } from './upgrade.js';
import { createVigil } from './vigil.js';
import type { Endpoint } from './visit.js';

/** A client that takes longer to send its headers, or its whole request, is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 2000;
const KEEP_ALIVE_MS = 60_000;
const MAX_CONNECTIONS = 4096;
/** What is left of connections after all answers were given. */
const CLOSING_MS = 200;

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The address is taken, or not one of this machine. */
export class CannotListen extends Error {}

/** Serves any number of clients over HTTP and WebSocket. Throws where it would be open to strangers. */
export async function serveHttp(server: Server, options: HttpOptions): Promise<HttpServer> {
  const { host, port, environment, log } = options;
  // Not before it is needed: who serves stdio does not pay for it.
  const { createServer } = await import('node:http');
  const http = createServer({ connectionsCheckingInterval: CHECK_INTERVAL_MS });
  const address = () => http.address() as AddressInfo;
  const config = () => server.config().server;
  const oauth = createOAuth({ config, log });
  const access: AccessOptions = { host, port: () => address().port, config, environment, oauth };
  if (!isLoopback(host) && !isGuarded(access)) {
    throw new Error(
      `--host ${host} is open to the network: set AUTOMATOSX_TOKEN, server.tokens or server.oauth, or listen on 127.0.0.1`,
    );
  }
  for (const { subject, env } of config().tokens.filter((token) => !environment[token.env])) {
    log('warn', 'A token is configured whose variable is not set: nobody gets in with it', { subject, variable: env });
  }
  let isStopping = false;
  const endpoint: Endpoint = {
    server,
    sessions: createSessions(),
    stateless: new Set(),
    vigil: createVigil((request) => checkToken(request, access)),
    isStopping: () => isStopping,
  };
  const webSockets = await createWebSocketEndpoint({ server, log });
  server.metrics.gauge('automatosx_sessions', 'Sessions that are open over HTTP', endpoint.sessions.size);
  server.metrics.gauge('automatosx_websockets', 'WebSocket connections that are open', webSockets.size);

  http.on('request', createRoutes({ endpoint, access, log }));
  http.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (!isWebSocket(request)) return serveWithoutUpgrade(http, request, { socket, head });
    // A socket that breaks while it is being refused has nobody to tell.
    socket.on('error', () => {});
    const letIn = async () => {
      checkAddress(request, access);
      if (request.url?.split('?')[0] !== '/ws') throw Refusal.of(404, 'WebSockets are served at /ws');
      const caller = await checkToken(request, access);
      if (socket.destroyed) return;
      endpoint.vigil.watch(request, caller, socket);
      webSockets.upgrade(request, socket, head, caller);
    };
    letIn().catch((error: unknown) => refuseSocket(socket, error, log));
  });
  configure(http);
  await listen(http, { host, port });

  return {
    url: `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${address().port}`,
    close: async () => {
      isStopping = true;
      const closed = new Promise((resolve) => http.close(resolve));
      await Promise.all([
        server.drain(),
        endpoint.sessions.closeAll(),
        webSockets.close(GRACE_MS),
        ...[...endpoint.stateless].map((connection) => connection.drain(GRACE_MS)),
      ]);
      http.closeIdleConnections();
      setTimeout(() => http.closeAllConnections(), CLOSING_MS).unref();
      await closed;
    },
  };
}

function configure(http: NodeServer): void {
  http.headersTimeout = HEADERS_TIMEOUT_MS;
  http.requestTimeout = REQUEST_TIMEOUT_MS;
  http.keepAliveTimeout = KEEP_ALIVE_MS;
  http.maxConnections = MAX_CONNECTIONS;
}

const listen = (http: NodeServer, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is in use; --port chooses another' : error.message;
      reject(new CannotListen(`${host}:${port} cannot be listened on: ${reason}`));
    });
    http.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      http.removeAllListeners('error');
      // What goes wrong with one connection is not the end of the others.
      http.on('error', () => {});
      resolve();
    });
  });
