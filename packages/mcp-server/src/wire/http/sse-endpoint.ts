import { readPosted } from './body.js';
import { startEvents } from './message-stream.js';
import { Refusal } from './refusal.js';
import type { Endpoint, Visit } from './visit.js';

const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

/** `/sse` of 2024-11-05: a stream that carries every message to the client, and the end of which ends its session. */
export function openEventStream({ server, sessions, vigil }: Endpoint, { request, response, caller }: Visit): void {
  if (request.method !== 'GET') throw Refusal.of(405, 'GET opens the stream', { headers: { allow: 'GET' } });
  const send = (message: string) => {
    if (response.writableEnded) return;
    response.write(`event: message\ndata: ${message}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  };
  const session = sessions.open(caller, ({ onShutdown }) =>
    // The answer to the request for the end goes first.
    server.connect({ ...caller, send, onShutdown: () => setImmediate(() => response.end(onShutdown)) }),
  );
  startEvents(response);
  vigil.watch(request, caller, response);
  response.write(`event: endpoint\ndata: /messages?sessionId=${session.id}\n\n`);
  const keepAlive = setInterval(() => {
    session.usedAt = performance.now();
    if (!response.writableEnded) response.write(':\n\n');
  }, KEEP_ALIVE_MS).unref();
  response.once('close', () => {
    clearInterval(keepAlive);
    void sessions.close(session);
  });
}

/** `/messages` of 2024-11-05: takes a message; what it causes goes to the stream. */
export async function postToEventStream({ server, sessions }: Endpoint, visit: Visit): Promise<void> {
  const { request, response, caller } = visit;
  if (request.method !== 'POST') throw Refusal.of(405, 'POST takes messages', { headers: { allow: 'POST' } });
  const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? undefined;
  if (id === undefined) throw Refusal.of(400, 'sessionId is missing; GET /sse gives one');
  const session = sessions.find(id, caller);
  const { message, sizeBytes } = await readPosted(request, server.config().limits.request.maxRequestBytes);
  response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
  void session.connection.accept(message, sizeBytes);
}
