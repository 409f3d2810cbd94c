import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Envelope, Message } from './message.js';
import { checkMessage } from './oracle.js';
import type { Version } from './test-client.js';

export type Headers = Readonly<Record<string, string>>;

export interface Sent {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Every message in it, whether it came as JSON or as events. */
  readonly messages: readonly Message[];
  /** The last one. */
  readonly message: Message;
}

export interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

export const BOTH = 'application/json, text/event-stream';
const JSON_HEADERS = { 'content-type': 'application/json', accept: BOTH };
/** Whose JSON is no message of the protocol. */
const TELLS_HEALTH = /\/(?:healthz|readyz)$/;
const OPENING = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** Sends one HTTP request, on a connection of its own, and gives the response before its body. */
export async function ask(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
  const asked = request(url, { method, headers, agent: false });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => {});
  return response.setEncoding('utf8');
}

/** Sends one HTTP request and reads its whole answer. Every message in it is held against the SDK's schemas. */
export async function fetched(url: string, sent: Sent = {}, askedMethod?: string): Promise<Answer> {
  const response = await ask(url, sent);
  let text = '';
  for await (const chunk of response) text += chunk;
  const messages = TELLS_HEALTH.test(url) ? [] : messagesIn(response, text);
  for (const message of messages) checkMessage(message, askedMethod);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    messages,
    message: messages.at(-1) as Message,
  };
}

function messagesIn({ headers }: IncomingMessage, text: string): Message[] {
  const type = headers['content-type'] ?? '';
  if (text === '') return [];
  if (type.startsWith('application/json')) return [JSON.parse(text)].flat();
  if (type !== 'text/event-stream') return [];
  return eventsIn(text).events.flatMap(({ data }) => (data === '' ? [] : JSON.parse(data)));
}

/** The events that are complete, and what is left. */
function eventsIn(text: string): { events: Event[]; rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks
    .map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2))))
    .filter((fields): fields is Event => 'data' in fields);
  return { events, rest };
}

/** Sends one JSON-RPC message as it stands. */
export const post = (url: string, message: unknown, headers: Headers = {}): Promise<Answer> =>
  fetched(
    `${url}/mcp`,
    {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    },
    (message as Message | undefined)?.method,
  );

export interface OpenSession {
  readonly id: string;
  readonly opening: Answer;
  /** What every later request of the session carries. */
  readonly headers: Headers;
}

interface OpenOptions {
  readonly version?: Version;
  readonly capabilities?: object;
  readonly headers?: Headers;
}

/** Opens a session of the handshake era. */
export async function openSession(url: string, options: OpenOptions = {}): Promise<OpenSession> {
  const { version = '2025-11-25', capabilities = {}, headers = {} } = options;
  const params = { ...OPENING, protocolVersion: version, capabilities };
  const opening = await post(url, { jsonrpc: '2.0', id: 'opening', method: 'initialize', params }, headers);
  const id = String(opening.headers['mcp-session-id']);
  const own = {
    ...headers,
    'mcp-session-id': id,
    ...(version >= '2025-06-18' && { 'mcp-protocol-version': version }),
  };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  return { id, opening, headers: own };
}

let count = 0;
export const nextId = (): number => ++count;

/** Sends one request of a session. */
export const rpc = (url: string, session: OpenSession, method: string, params: object = {}): Promise<Answer> =>
  post(url, { jsonrpc: '2.0', id: nextId(), method, params }, session.headers);

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** A request of 2026-07-28 with the headers that belong to it. */
export function statelessRequest(method: string, params: Record<string, unknown> = {}, headers: Headers = {}) {
  const _meta = { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {}, ...(params._meta as object) };
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    message: { jsonrpc: '2.0', id: nextId(), method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
  };
}

/** Sends one request of 2026-07-28. */
export function stateless(url: string, method: string, params: Record<string, unknown> = {}): Promise<Answer> {
  const { message, headers } = statelessRequest(method, params);
  return post(url, message, headers);
}

/** What a tool answered with. */
export const envelopeOf = ({ message }: Answer): Envelope => JSON.parse(message.result.content[0].text);

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly Event[];
  readonly messages: readonly Message[];
  /** The first message that matches, now or later; undefined where the stream ends without it. */
  next(matches: (message: Message) => boolean): Promise<Message | undefined>;
  readonly ended: Promise<void>;
  /** Breaks it off, as a network does. */
  close(): void;
  /** Reads no more. */
  pause(): void;
}

/** Reads events as they come. */
export async function openEvents(url: string, sent: Sent = {}): Promise<EventStream> {
  const response = await ask(url, { ...sent, headers: { accept: 'text/event-stream', ...sent.headers } });
  const events: Event[] = [];
  const messages: Message[] = [];
  const look = new Set<() => void>();
  let rest = '';
  response.on('data', (chunk: string) => {
    const read = eventsIn(rest + chunk);
    rest = read.rest;
    for (const event of read.events) {
      events.push(event);
      if (!event.data.startsWith('{') && !event.data.startsWith('[')) continue;
      for (const message of [JSON.parse(event.data)].flat()) {
        checkMessage(message, undefined);
        messages.push(message);
      }
    }
    for (const each of look) each();
  });
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  response.on('error', () => {});
  const next = (matches: (message: Message) => boolean) =>
    new Promise<Message | undefined>((resolve) => {
      const search = () => {
        const found = messages.find(matches);
        if (!found) return;
        look.delete(search);
        resolve(found);
      };
      look.add(search);
      search();
      void ended.then(() => resolve(undefined));
    });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    messages,
    next,
    ended,
    close: () => response.destroy(),
    pause: () => void response.pause(),
  };
}

/** Sends a message and reads its answer as events. */
export const postForEvents = (url: string, message: object, headers: Headers): Promise<EventStream> =>
  openEvents(`${url}/mcp`, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(message) });

/** Waits until it is so; a test that waits for nothing runs into its timeout. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
