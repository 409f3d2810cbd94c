import { isObject } from '../../protocol/json-rpc.js';
import { isHandshakeVersion } from '../../protocol/versions.js';
import type { Posted } from './body.js';
import { exchange, sessionStatus } from './exchange.js';
import { Refusal } from './refusal.js';
import { type Endpoint, header, type Visit } from './visit.js';

/** The handshake era. A broken stream does not cancel: the answer waits for the client to come back. */
export async function postToSession(endpoint: Endpoint, visit: Visit, posted: Posted): Promise<void> {
  const { sessions } = endpoint;
  const { request, response } = visit;
  const version = header(request, 'mcp-protocol-version');
  const isOpening =
    isObject(posted.message) &&
    posted.message.method === 'initialize' &&
    header(request, 'mcp-session-id') === undefined;
  if (!isOpening && version !== undefined && !isHandshakeVersion(version)) {
    throw Refusal.of(400, 'This MCP-Protocol-Version is not one that sessions have');
  }
  const session = isOpening ? open(endpoint, visit) : sessions.find(header(request, 'mcp-session-id'), visit.caller);
  const code = await exchange({
    request,
    response,
    openStream: () => {
      const stream = session.streams.open();
      stream.attach(response, { isPrimed: version !== undefined && version >= '2025-11-25' });
      return stream;
    },
    work: (reply) => session.connection.accept(posted.message, posted.sizeBytes, reply),
    ...(isOpening && { headers: { 'mcp-session-id': session.id } }),
    statusOf: sessionStatus,
  });
  if (isOpening && code !== 0) await sessions.close(session);
}

const open = ({ server, sessions }: Endpoint, { caller }: Visit) =>
  sessions.open(caller, (way) => server.connect({ ...caller, ...way }));
