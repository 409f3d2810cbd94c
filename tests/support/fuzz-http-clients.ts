import type { ClientRequest } from 'node:http';
import { cancelled, createInbox, type FuzzClient, INITIALIZED, initialize } from './fuzz-inbox.js';
import { createRequests } from './fuzz-requests.js';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export interface SessionClient extends FuzzClient {
  /** What its requests carry. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The handshake era at `/mcp`, with the session's own stream open. */
export async function sessionClient(url: string, version: string): Promise<SessionClient> {
  const inbox = createInbox();
  const { start, breakOff } = createRequests(url);
  let headers: Record<string, string> = JSON_HEADERS;
  const send = (message: object) =>
    start({ method: 'POST', path: '/mcp', headers, body: JSON.stringify(message), onText: inbox.push });

  const opened = await send(initialize(version));
  headers = { ...JSON_HEADERS, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  if (version >= '2025-06-18') headers['mcp-protocol-version'] = version;
  await send(INITIALIZED);
  await start({ method: 'GET', path: '/mcp', headers, onText: inbox.push });
  return {
    inbox,
    headers,
    send,
    cancel: (id) => send(cancelled(id)),
    leave: async () => {
      await start({ method: 'DELETE', path: '/mcp', headers });
      breakOff();
    },
    drop: breakOff,
  };
}

/** 2026-07-28 at `/mcp`: every request for itself, and given up by closing its stream. */
export function statelessClient(url: string): FuzzClient {
  const inbox = createInbox();
  const { start, breakOff } = createRequests(url);
  const byId = new Map<unknown, ClientRequest>();
  return {
    inbox,
    send: (message) => {
      const stamped = stampedMessage(message);
      const { id } = message as { id?: unknown };
      return start({
        method: 'POST',
        path: '/mcp',
        headers: { ...JSON_HEADERS, ...statelessHeaders(stamped) },
        body: JSON.stringify(stamped),
        onText: inbox.push,
        onStart: (request) => byId.set(id, request),
      });
    },
    cancel: async (id) => byId.get(id)?.destroy(),
    leave: async () => breakOff(),
    drop: breakOff,
  };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Stamped {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function stampedMessage(message: object): Stamped {
  const { params = {}, ...rest } = message as Stamped;
  return { ...rest, params: { ...params, _meta: { ...META, ...(params._meta as object) } } };
}

const statelessHeaders = ({ method, params }: Stamped) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
});

export interface SseClient extends FuzzClient {
  /** Where its messages go. */
  readonly path: string;
}

/** `/sse` and `/messages` of 2024-11-05. */
export async function sseClient(url: string, version = '2024-11-05'): Promise<SseClient> {
  const inbox = createInbox();
  const { start, breakOff } = createRequests(url);
  const path = await new Promise<string>((resolve, reject) => {
    const onText = (text: string, event: string) => (event === 'endpoint' ? resolve(text) : inbox.push(text));
    start({ method: 'GET', path: '/sse', onText }).catch(reject);
  });
  const send = (message: object) =>
    start({ method: 'POST', path, headers: JSON_HEADERS, body: JSON.stringify(message) });
  const opened = inbox.answerTo('opening');
  await send(initialize(version));
  await opened;
  await send(INITIALIZED);
  return { inbox, path, send, cancel: (id) => send(cancelled(id)), leave: async () => breakOff(), drop: breakOff };
}
