import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../log.js';
import type { Server } from '../../server.js';
import { type AccessOptions, checkAddress, checkToken } from './access.js';
import { serveMcp } from './mcp-endpoint.js';
import { headOf, Refusal, sendJson, sendRefusal, toJson, toRefusal } from './refusal.js';
import { openEventStream, postToEventStream } from './sse-endpoint.js';
import type { Endpoint, Visit } from './visit.js';

/** How long what a refused client still sends is read and thrown away. */
const DISCARD_MS = 1000;

interface RouteOptions {
  readonly endpoint: Endpoint;
  readonly access: AccessOptions;
  readonly log: Log;
}

/** Every path that is served, and who may ask for it. */
export function createRoutes({ endpoint, access, log }: RouteOptions) {
  const { server } = endpoint;

  /** Tell nothing about anybody's data, so anybody may ask. */
  const open = new Map<string, (response: ServerResponse) => unknown>([
    ['/healthz', (response) => sendJson(response, { status: 200, text: '{"status":"ok"}' })],
    ['/readyz', (response) => tellReadiness(server, response)],
  ]);
  const guarded = new Map<string, (visit: Visit) => unknown>([
    ['/mcp', (visit) => serveMcp(endpoint, visit)],
    ['/sse', (visit) => openEventStream(endpoint, visit)],
    ['/messages', (visit) => postToEventStream(endpoint, visit)],
    ['/metrics', ({ response }) => tellMetrics(server, response)],
    ['/ws', () => needsUpgrade()],
  ]);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    checkAddress(request, access);
    allowOrigin(request, response);
    const path = pathOf(request);
    if (endpoint.isStopping()) throw Refusal.stopping();
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const isOpen = open.get(path);
    if (isOpen) return void (await isOpen(response));
    const metadata = access.oauth.metadataAt(path);
    if (metadata) return sendJson(response, { status: 200, text: JSON.stringify(metadata) });
    const known = checkToken(request, access);
    const caller = known instanceof Promise ? await known : known;
    // Gone while the token was verified: nobody is there to open anything for.
    if (response.destroyed) return;
    const route = guarded.get(path);
    if (!route) throw Refusal.of(404, 'There is nothing here; MCP is at /mcp, /ws and /sse');
    await route({ request, response, caller });
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => {
      const refusal = toRefusal(error, log);
      // Whoever cannot get in has to find out why somewhere; what they sent is not told.
      log('info', 'An HTTP request was refused', { status: refusal.status, reason: refusal.message });
      refuse(request, response, refusal);
    });
  };
}

const pathOf = ({ url = '' }: IncomingMessage): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) response.destroy();
  else if (request.complete) sendRefusal(response, refusal);
  else refuseInTheMiddle(request, response, refusal);
}

/** Closed while the client still sends, it would see a broken connection and not the answer. */
function refuseInTheMiddle(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, text, headers } = toJson(refusal);
  response.writeHead(status, headOf(text, { ...headers, connection: 'close' })).write(text);
  request.removeAllListeners('data').resume();
  const end = () => void response.end();
  request.once('close', end);
  setTimeout(end, DISCARD_MS).unref();
}

/** An Origin that came this far is one of ours, or one that the configuration allows. */
function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*');
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate');
}

function needsUpgrade(): never {
  throw Refusal.of(426, 'This is for WebSockets', { headers: { upgrade: 'websocket' } });
}

async function tellReadiness(server: Server, response: ServerResponse): Promise<void> {
  const problem = await server.problem();
  const state = problem === undefined ? { status: 'ready' } : { status: 'unavailable', reason: problem };
  sendJson(response, { status: problem === undefined ? 200 : 503, text: JSON.stringify(state) });
}

function tellMetrics(server: Server, response: ServerResponse): void {
  const text = server.metrics.text();
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
}
