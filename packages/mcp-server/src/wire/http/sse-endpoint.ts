import { readPosted } from './body.js';
import { Refusal } from './refusal.js';
import type { Endpoint, Visit } from './visit.js';

/** `/sse` of 2024-11-05: a stream that carries every message to the client, and the end of which ends its session. */
export function openEventStream({ server, sessions, vigil }: Endpoint, { request, response, caller }: Visit): void {
  if (request.method !== 'GET') throw Refusal.of(405, 'GET opens the stream', { headers: { allow: 'GET' } });
  const session = sessions.open(caller, ({ send, onShutdown }) =>
    // The answer to the request for the end goes first.
    server.connect({ ...caller, send, onShutdown: () => setImmediate(onShutdown) }),
  );
  vigil.watch(request, caller, response);
  response.once('close', () => void sessions.close(session));
  session.streams.own.attach(response, {
    opening: `event: endpoint\ndata: /messages?sessionId=${session.id}\n\n`,
  });
}

/** `/messages` of 2024-11-05: takes a message; what it causes goes to the stream. */
export async function postToEventStream({ server, sessions }: Endpoint, visit: Visit): Promise<void> {
  const { request, response, caller } = visit;
  if (request.method !== 'POST') throw Refusal.of(405, 'POST takes messages', { headers: { allow: 'POST' } });
  const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? undefined;
  if (id === undefined) throw Refusal.of(400, 'sessionId is missing; GET /sse gives one');
  sessions.find(id, caller);
  const { message, sizeBytes } = await readPosted(request, server.config().limits.request.maxRequestBytes);
  // Once more: its stream may have ended while the body came.
  const session = sessions.find(id, caller);
  response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
  void session.connection.accept(message, sizeBytes);
}
