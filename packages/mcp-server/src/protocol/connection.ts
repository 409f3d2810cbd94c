import { ToolError } from '@automatosx/contracts';
import { arraysOf, sizeProblem } from './batch.js';
import { missingCapability } from './client-port.js';
import { createClientRequests } from './client-requests.js';
import type { ConnectionOptions, Reply } from './connection-options.js';
import { excessOf } from './excess.js';
import { createInFlight } from './in-flight.js';
import { errorText, isObject, isRequestId, type Message, RPC, RpcError } from './json-rpc.js';
import type { ConnectionState } from './request.js';
import { type Arrival, createRequestHandler, type Shared } from './request-handler.js';
import { hasBatches } from './versions.js';

/** One client's end of the protocol, whatever carries the bytes. */
export interface Connection {
  /**
   * Takes one message or batch, as text or parsed. Never throws: what is wrong with it is answered. What it causes goes
   * to `reply`, where the transport has a place for that; resolves when all of it has been sent.
   */
  receive(text: string, sizeBytes: number, reply?: Reply): Promise<void>;
  accept(message: unknown, sizeBytes: number, reply?: Reply): Promise<void>;
  /** Answers for a message that could not even be read. */
  refuse(code: number, message: string): void;
  /** Takes no more requests, waits for those under way, and stops what is left after the grace: the server is stopping. */
  drain(graceMs: number): Promise<void>;
  /** The client is gone, or wants no more: stops what is under way. */
  abandon(): Promise<void>;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { send, log } = options;
  const inFlight = createInFlight(options.admission, options);
  const client = createClientRequests(send);
  const state: ConnectionState = { logLevel: 'info', subscriptions: new Set() };
  const shared: Shared = { inFlight, client, state, handshake: undefined };
  const request = createRequestHandler(options, shared);
  let isClosed = false;
  let stopAnnouncing: (() => void) | undefined;

  const refuse = (code: number, message: string) => send(errorText(null, new RpcError(code, message)));

  const receive = async (text: string, sizeBytes: number, reply: Reply = send): Promise<void> => {
    const excess = excessOf(text);
    if (excess) return reply(errorText(excess.id, new RpcError(RPC.invalidRequest, excess.reason)), true);
    const message = parse(text);
    if (message !== undefined) return accept(message, sizeBytes, reply);
    reply(errorText(null, new RpcError(RPC.parseError, 'The message is not valid JSON')), true);
  };

  const accept = async (message: unknown, sizeBytes: number, reply: Reply = send): Promise<void> => {
    if (Array.isArray(message)) return answerBatch(message, sizeBytes, reply);
    const text = await answer(message, { sizeBytes, reply, isBatched: false });
    if (text !== undefined) reply(text, true);
  };

  const answerBatch = async (batch: readonly unknown[], sizeBytes: number, reply: Reply) => {
    const isKnown = shared.handshake !== undefined && hasBatches(shared.handshake.version);
    const refusal = isKnown ? sizeProblem(batch) : 'This protocol version has no batches';
    if (refusal !== undefined) return reply(errorText(null, new RpcError(RPC.invalidRequest, refusal)), true);
    const replies = await Promise.all(batch.map((message) => answer(message, { sizeBytes, reply, isBatched: true })));
    const arrays = arraysOf(replies.filter((text) => text !== undefined));
    for (const [index, array] of arrays.entries()) reply(array, index === arrays.length - 1);
  };

  /** The answer to one message, or undefined where none is due. */
  const answer = async (message: unknown, arrival: Arrival): Promise<string | undefined> => {
    if (!isObject(message)) return errorText(null, new RpcError(RPC.invalidRequest, 'A message is an object'));
    const { id, method } = message as Message;
    const isResponse = method === undefined && ('result' in message || 'error' in message);
    if (message.jsonrpc === '2.0' && isResponse) return void client.settle(message);
    if (message.jsonrpc === '2.0' && typeof method === 'string' && !('id' in message)) return void notified(message);
    if (!isRequestId(id)) {
      return errorText(null, new RpcError(RPC.invalidRequest, 'A request has a string or integer id'));
    }
    const startedAt = performance.now();
    try {
      if (message.jsonrpc !== '2.0') throw new RpcError(RPC.invalidRequest, 'A message has "jsonrpc": "2.0"');
      if (typeof method !== 'string') throw new RpcError(RPC.invalidRequest, 'A request has a method');
      if (arrival.isBatched && method === 'initialize')
        throw new RpcError(RPC.invalidRequest, 'initialize stands alone');
      return await request({ id, name: method, params: message.params, arrival });
    } catch (error) {
      return errorText(id, toRpcError(error));
    } finally {
      const name = typeof method === 'string' ? method.slice(0, 100) : undefined;
      log('debug', 'A request has ended', { method: name, durationMs: Math.round(performance.now() - startedAt) });
    }
  };

  const notified = ({ method, params }: Message) => {
    if (method === 'notifications/cancelled' && isObject(params) && isRequestId(params.requestId)) {
      inFlight.cancel(params.requestId, new ToolError('CANCELLED', 'The client cancelled the call'));
    }
    if (!shared.handshake || isClosed) return;
    if (method === 'notifications/initialized') stopAnnouncing ??= options.onOpen(state);
    const isAboutRoots = method === 'notifications/initialized' || method === 'notifications/roots/list_changed';
    if (isAboutRoots) options.onClientReady(shared.handshake.capabilities, client);
  };

  const toRpcError = (error: unknown): RpcError => {
    if (error instanceof RpcError) return error;
    const missing = error instanceof ToolError ? missingCapability(error) : undefined;
    if (missing) return missing;
    log('error', 'A request failed in a way the server did not foresee', { error });
    return new RpcError(RPC.internalError, 'Internal error');
  };

  const drain = async (graceMs: number, reason?: ToolError): Promise<void> => {
    isClosed = true;
    stopAnnouncing?.();
    await inFlight.drain({ graceMs, reason });
  };
  const abandon = () => drain(0, new ToolError('CANCELLED', 'The client ended the connection'));

  return { receive, accept, refuse, drain: (graceMs) => drain(graceMs), abandon };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
