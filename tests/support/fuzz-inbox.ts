import type { Message } from './message.js';
import { checkMessage } from './oracle.js';

type Id = string | number;

/** All that reached one client, on whatever way. */
export interface Inbox {
  readonly received: Message[];
  /** Takes one message or batch as text. */
  push(text: string): void;
  /** The next answer under this id. */
  answerTo(id: Id): Promise<Message>;
}

export function createInbox(): Inbox {
  const received: Message[] = [];
  const waiting = new Map<Id, (message: Message) => void>();
  const take = (message: Message) => {
    checkMessage(message, undefined);
    received.push(message);
    if (message.method !== undefined) return;
    waiting.get(message.id as Id)?.(message);
    waiting.delete(message.id as Id);
  };
  return {
    received,
    push: (text) => {
      for (const message of [JSON.parse(text)].flat()) take(message);
    },
    answerTo: (id) => new Promise((resolve) => waiting.set(id, resolve)),
  };
}

/** A client at the level of messages, whatever carries them. */
export interface FuzzClient {
  readonly inbox: Inbox;
  /** Sends a message; fails where the connection does. */
  send(message: object): Promise<unknown>;
  /** Gives a request up. */
  cancel(id: Id): Promise<unknown>;
  /** Goes as the transport wants it. */
  leave(): Promise<unknown>;
  /** Is gone from one moment to the next. */
  drop(): void;
}

/** Sends a request and waits for its answer. */
export function ask(client: FuzzClient, id: Id, request: object): Promise<Message> {
  const answer = client.inbox.answerTo(id);
  // Where the connection breaks, nobody gets an answer; whoever asked has a time limit.
  client.send({ jsonrpc: '2.0', id, ...request }).catch(() => {});
  return answer;
}

/** Calls a tool and gives the data of its answer. */
export async function callTool(client: FuzzClient, id: Id, params: object): Promise<unknown> {
  const { result, error } = await ask(client, id, { method: 'tools/call', params });
  if (error) throw new Error(`${error.code} ${error.message}`);
  return JSON.parse(result.content[0].text).data;
}

export const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 'opening',
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const cancelled = (requestId: Id) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
