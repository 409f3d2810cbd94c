import type { IncomingMessage } from 'node:http';
import { errorText, isObject, isRequestId, type Message, RPC, RpcError } from '../../protocol/json-rpc.js';
import { declaredVersion, isHandshakeVersion, unsupportedVersion } from '../../protocol/versions.js';
import { readPosted } from './body.js';
import { acceptedOf } from './exchange.js';
import { parseEventId } from './message-stream.js';
import { postToSession } from './post-session.js';
import { postStateless } from './post-stateless.js';
import { Refusal, sendJson } from './refusal.js';
import { checkHeaders, checkVersionHeader } from './stateless-headers.js';
import { type Endpoint, header, type Visit, versionOf } from './visit.js';

/** `/mcp`: both eras on one address. */
export async function serveMcp(endpoint: Endpoint, visit: Visit): Promise<void> {
  const { method } = visit.request;
  if (method === 'POST') return post(endpoint, visit);
  if (method === 'GET') return resume(endpoint, visit);
  if (method === 'DELETE') return close(endpoint, visit);
  throw Refusal.of(405, 'POST, GET and DELETE are served here', { headers: { allow: 'POST, GET, DELETE' } });
}

async function post(endpoint: Endpoint, visit: Visit): Promise<void> {
  // Before a session is opened that nobody would hear of.
  acceptedOf(visit.request);
  const posted = await readPosted(visit.request, endpoint.server.config().limits.request.maxRequestBytes);
  const { message } = posted;
  try {
    const isAlone = isObject(message) && isStateless(message, endpoint, visit.request);
    await (isAlone ? postStateless : postToSession)(endpoint, visit, posted);
  } catch (error) {
    const id = isObject(message) && isRequestId(message.id) ? message.id : null;
    if (error instanceof Refusal) throw error.about(id);
    if (!(error instanceof RpcError)) throw error;
    sendJson(visit.response, { status: 400, text: errorText(id, error) });
  }
}

/** True if the request carries its own version. Throws what is wrong with its envelope. */
function isStateless(given: Record<string, unknown>, { server }: Endpoint, request: IncomingMessage): boolean {
  const named = header(request, 'mcp-protocol-version');
  // Before anything else: a version that we do not have is another problem than two that differ.
  checkVersionHeader(named, given.params);
  if (declaredVersion(given.params) !== undefined) {
    const schemaOf = (tool: string) => server.catalog.relayed(tool)?.inputSchema;
    checkHeaders({ headers: request.headers, message: given as Message }, schemaOf);
    return true;
  }
  if (named === undefined || isHandshakeVersion(named) || given.method === 'initialize') return false;
  // The headers speak of the stateless era, and the body does not.
  if (given.id === undefined && typeof given.method === 'string') return true;
  throw unsupportedVersion(named) ?? new RpcError(RPC.invalidParams, '_meta must have the protocol version');
}

/** The session's own stream, or the rest of one that broke. */
function resume({ sessions, vigil }: Endpoint, { request, response, caller }: Visit): void {
  if (!acceptedOf(request).stream) throw Refusal.of(406, 'Accept must name text/event-stream');
  versionOf(request);
  const { streams } = sessions.find(header(request, 'mcp-session-id'), caller);
  const lastEventId = header(request, 'last-event-id');
  vigil.watch(request, caller, response);
  if (lastEventId === undefined) {
    if (streams.own.isAttached()) throw Refusal.of(409, 'The stream of this session is open already');
    streams.own.attach(response);
    return;
  }
  const place = parseEventId(lastEventId);
  const stream = place && streams.find(place.stream);
  if (!place || !stream?.keepsAllAfter(place.number)) {
    throw Refusal.of(404, 'What this Last-Event-ID names is no longer kept');
  }
  stream.attach(response, { after: place.number });
}

async function close({ sessions }: Endpoint, { request, response, caller }: Visit): Promise<void> {
  versionOf(request);
  await sessions.close(sessions.find(header(request, 'mcp-session-id'), caller));
  response.writeHead(204).end();
}
