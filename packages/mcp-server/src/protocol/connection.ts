import { type ProtocolVersion, ToolError } from '@automatosx/contracts';
import type { Log } from '../log.js';
import { arraysOf, sizeProblem } from './batch.js';
import { type ClientRequests, createClientRequests } from './client-requests.js';
import { excessOf } from './excess.js';
import { createInFlight, type InFlight } from './in-flight.js';
import {
  errorText,
  isObject,
  isRequestId,
  type Message,
  notificationText,
  type RequestId,
  RPC,
  RpcError,
  resultText,
} from './json-rpc.js';
import type { InitializeParams, Method, RequestContext, Result } from './methods.js';
import { declaredVersion, type Era, hasBatches, negotiate } from './versions.js';

/** How long running calls may go on after `shutdown` or the end of input. */
export const GRACE_MS = 5000;

export interface ConnectionOptions {
  readonly methods: ReadonlyMap<string, Method>;
  readonly principal: string;
  readonly isLocal: boolean;
  readonly workspace: () => string | Promise<string>;
  /** What every stateless result carries, as the inside of a JSON object. */
  readonly stamp: () => string;
  /** Sends one message, as JSON text. */
  readonly send: (message: string) => void;
  /** The handshake is done, or the client's folders changed. */
  readonly onClientReady: (capabilities: Readonly<Record<string, unknown>>, client: ClientRequests) => void;
  /** The client asked for the end; the answer has been sent. */
  readonly onShutdown: () => void;
  readonly log: Log;
}

/** One client's end of the protocol, whatever carries the bytes. */
export interface Connection {
  /** Takes one message or batch. Never throws: what is wrong with it is answered. */
  receive(text: string, sizeBytes: number): void;
  /** Answers for a message that could not even be read. */
  refuse(code: number, message: string): void;
  /** Takes no more requests, waits for those under way, and stops what is left after the grace. */
  drain(graceMs: number): Promise<void>;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { methods, send, log } = options;
  const inFlight = createInFlight();
  const client = createClientRequests(send);
  /** What `initialize` settled. Set when it arrives: what is pipelined behind it is of that version already. */
  let handshake: { version: ProtocolVersion; capabilities: Readonly<Record<string, unknown>> } | undefined;

  const refuse = (code: number, message: string) => send(errorText(null, new RpcError(code, message)));

  const receive = (text: string, sizeBytes: number) => {
    const excess = excessOf(text);
    if (excess) return send(errorText(excess.id, new RpcError(RPC.invalidRequest, excess.reason)));
    const message = parse(text);
    if (message === undefined) refuse(RPC.parseError, 'The message is not valid JSON');
    else if (Array.isArray(message)) void answerBatch(message, sizeBytes);
    else void answer(message, { sizeBytes, isBatched: false }).then((reply) => reply !== undefined && send(reply));
  };

  const answerBatch = async (batch: readonly unknown[], sizeBytes: number) => {
    const isKnown = handshake !== undefined && hasBatches(handshake.version);
    const refusal = isKnown ? sizeProblem(batch) : 'This protocol version has no batches';
    if (refusal !== undefined) return refuse(RPC.invalidRequest, refusal);
    const replies = await Promise.all(batch.map((message) => answer(message, { sizeBytes, isBatched: true })));
    for (const array of arraysOf(replies.filter((reply) => reply !== undefined))) send(array);
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
      return await request({ id, name: method, params: message.params, ...arrival });
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
    const isAboutRoots = method === 'notifications/initialized' || method === 'notifications/roots/list_changed';
    if (isAboutRoots && handshake) options.onClientReady(handshake.capabilities, client);
  };

  const request = async (asked: Asked): Promise<string | undefined> => {
    const declared = declaredVersion(asked.params);
    const method = resolve(asked, declared);
    const params = checked(method, asked);
    const isOpening = asked.name === 'initialize';
    const call = inFlight.begin(asked.id, { isCancellable: !isOpening });
    if (isOpening) handshake = settle(params as InitializeParams);
    const version = declared ?? handshake?.version ?? negotiate('');
    const era: Era = declared === undefined ? 'handshake' : 'stateless';
    try {
      const context = contextOf(asked, { version, era, call });
      if (asked.name === 'shutdown') await inFlight.drain({ graceMs: GRACE_MS, except: call });
      const result = await method.handle(params as never, context);
      if (asked.name === 'shutdown') queueMicrotask(options.onShutdown);
      // A cancelled request is not answered.
      return call.isOver() ? undefined : resultText(asked.id, membersOf(result, method, era));
    } catch (error) {
      if (call.isOver()) return undefined;
      throw error;
    } finally {
      call.end();
    }
  };

  /** The method, if the era has it and the handshake has happened (INV-MCP-006). */
  const resolve = ({ name }: Asked, declared: ProtocolVersion | undefined): Method => {
    if (declared === undefined) {
      if (name === 'initialize' && handshake)
        throw new RpcError(RPC.invalidRequest, 'The connection is initialized already');
      if (name !== 'initialize' && name !== 'ping' && !handshake) {
        throw new RpcError(RPC.invalidRequest, `${name.slice(0, 100)} needs initialize first`);
      }
    }
    const method = methods.get(name);
    if (method?.eras.includes(declared === undefined ? 'handshake' : 'stateless')) return method;
    throw new RpcError(RPC.methodNotFound, `Method not found: ${name.slice(0, 100)}`);
  };

  const contextOf = ({ sizeBytes }: Asked, { version, era, call }: Settled): RequestContext => ({
    version,
    era,
    principal: options.principal,
    isLocal: options.isLocal,
    workspace: options.workspace,
    sizeBytes,
    cancellation: call.cancellation,
    notify: (name, params) => {
      if (!call.isOver()) send(notificationText(name, params));
    },
  });

  const membersOf = (result: Result, { cacheable }: Method, era: Era): string => {
    const members = typeof result === 'string' ? result : JSON.stringify(result).slice(1, -1);
    if (era === 'handshake') return members;
    const hints = cacheable ? JSON.stringify(cacheable).slice(1, -1) : '';
    return [members, hints, options.stamp()].filter((part) => part !== '').join(',');
  };

  const toRpcError = (error: unknown): RpcError => {
    if (error instanceof RpcError) return error;
    log('error', 'A request failed in a way the server did not foresee', { error });
    return new RpcError(RPC.internalError, 'Internal error');
  };

  return { receive, refuse, drain: (graceMs) => inFlight.drain({ graceMs }) };
}

/** How a message came. */
interface Arrival {
  readonly sizeBytes: number;
  readonly isBatched: boolean;
}

interface Asked extends Arrival {
  readonly id: RequestId;
  readonly name: string;
  readonly params: unknown;
}

interface Settled {
  readonly version: ProtocolVersion;
  readonly era: Era;
  readonly call: InFlight;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const settle = ({ protocolVersion, capabilities }: InitializeParams) => ({
  version: negotiate(protocolVersion),
  capabilities,
});

function checked(method: Method, { name, params }: Asked): unknown {
  const result = method.params.safeParse(params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new RpcError(
    RPC.invalidParams,
    `Invalid params of ${name}: ${issue?.path.join('.')} ${issue?.message}`.slice(0, 500),
  );
}
