import { isObject } from '../../protocol/json-rpc.js';
import type { Posted } from './body.js';
import { exchange, sessionStatus } from './exchange.js';
import { type Endpoint, header, type Visit, versionOf } from './visit.js';

/** The handshake era. A broken stream does not cancel: the answer waits for the client to come back. */
export async function postToSession(endpoint: Endpoint, visit: Visit, posted: Posted): Promise<void> {
  const { sessions } = endpoint;
  const { request, response } = visit;
  const isOpening =
    isObject(posted.message) &&
    posted.message.method === 'initialize' &&
    header(request, 'mcp-session-id') === undefined;
  const version = isOpening ? undefined : versionOf(request);
  const session = isOpening ? open(endpoint, visit) : sessions.find(header(request, 'mcp-session-id'), visit.caller);
  session.underWay += 1;
  const code = await exchange({
    request,
    response,
    openStream: () => {
      const stream = session.streams.open();
      endpoint.vigil.watch(request, visit.caller, response);
      stream.attach(response, { isPrimed: version !== undefined && version >= '2025-11-25' });
      return stream;
    },
    elsewhere: session.streams.own.push,
    work: (reply) => session.connection.accept(posted.message, posted.sizeBytes, reply),
    ...(isOpening && { headers: { 'mcp-session-id': session.id } }),
    statusOf: sessionStatus,
  }).finally(() => {
    session.underWay -= 1;
    session.usedAt = sessions.now();
  });
  // Nobody would know the id of one that could not be opened, or whose client is gone.
  if (isOpening && (code !== 0 || request.socket.destroyed)) await sessions.close(session);
}

const open = ({ server, sessions }: Endpoint, { caller }: Visit) =>
  sessions.open(caller, (way) => server.connect({ ...caller, ...way }));
