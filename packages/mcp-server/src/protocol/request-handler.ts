import type { ProtocolVersion } from '@automatosx/contracts';
import { InputRequired } from '@automatosx/mcp-runtime';
import { HandshakeClient, StatelessClient } from './client-port.js';
import type { ClientRequests } from './client-requests.js';
import { type ConnectionOptions, GRACE_MS, type Reply } from './connection-options.js';
import type { createInFlight, InFlight } from './in-flight.js';
import { notificationText, type RequestId, RPC, RpcError, resultText } from './json-rpc.js';
import type { Method, Result } from './method.js';
import type { InitializeParams } from './methods/lifecycle.js';
import { checkedParams } from './params.js';
import { type ConnectionState, Request } from './request.js';
import { membersOf } from './result.js';
import { capabilitiesOf, declaredVersion, type Era, logLevelOf, negotiate } from './versions.js';

/** How a message came, and where what it causes goes. */
export interface Arrival {
  readonly sizeBytes: number;
  readonly reply: Reply;
  readonly isBatched: boolean;
}

export interface Asked {
  readonly id: RequestId;
  readonly name: string;
  readonly params: unknown;
  readonly arrival: Arrival;
}

interface Settled {
  readonly version: ProtocolVersion;
  readonly era: Era;
  readonly call: InFlight;
  /** What the client answered in earlier rounds and in this one. */
  readonly responses?: Readonly<Record<string, unknown>>;
}

interface Round extends Omit<Settled, 'era' | 'responses'> {
  readonly asked: Asked;
  readonly method: Method;
  readonly params: unknown;
}

/** What the requests of one connection share. */
export interface Shared {
  readonly inFlight: ReturnType<typeof createInFlight>;
  readonly client: ClientRequests;
  readonly state: ConnectionState;
  /** What `initialize` settled. Set when it arrives: what is pipelined behind it is of that version already. */
  handshake:
    | { readonly version: ProtocolVersion; readonly capabilities: Readonly<Record<string, unknown>> }
    | undefined;
}

/** Handles one request of a connection: the text of its answer, or undefined where it was cancelled. */
export function createRequestHandler(options: ConnectionOptions, shared: Shared) {
  const { inFlight, client, state } = shared;

  const request = async (asked: Asked): Promise<string | undefined> => {
    const declared = declaredVersion(asked.params);
    const method = resolve(asked, declared);
    const params = checkedParams(method, asked.name, asked.params);
    const isOpening = asked.name === 'initialize';
    const call = inFlight.begin(asked.id, { isCancellable: !isOpening, isOpenEnded: method.isOpenEnded });
    if (isOpening) shared.handshake = settle(params as InitializeParams);
    const version = declared ?? shared.handshake?.version ?? negotiate('');
    const era: Era = declared === undefined ? 'handshake' : 'stateless';
    try {
      if (asked.name === 'shutdown') await inFlight.drain({ graceMs: GRACE_MS, except: call });
      const result =
        era === 'stateless' && method.asksClient
          ? await handleInRounds({ asked, method, params, call, version })
          : await method.handle(params as never, contextOf(asked, { version, era, call }));
      if (asked.name === 'shutdown') queueMicrotask(options.onShutdown);
      // A cancelled request is not answered.
      if (call.isOver()) return undefined;
      return resultText(asked.id, membersOf(result, method, { era, identity: options.identity }));
    } catch (error) {
      if (call.isOver()) return undefined;
      throw error;
    } finally {
      call.end();
    }
  };

  /** A request that may need the client's answers first: they come with it, or it ends with the questions. */
  const handleInRounds = async ({ asked, method, params, call, version }: Round): Promise<Result> => {
    const question = { principal: options.principal, method: asked.name, params: asked.params };
    const { inputResponses, requestState } = asked.params as Record<string, unknown>;
    const isFirst = inputResponses === undefined && requestState === undefined;
    const responses = isFirst ? {} : await options.requestStates.open(question);
    const context = contextOf(asked, { version, era: 'stateless', call, responses });
    try {
      return await method.handle(params as never, context);
    } catch (error) {
      if (!(error instanceof InputRequired)) throw error;
      const state = await options.requestStates.seal(question, responses);
      return { resultType: 'input_required', inputRequests: error.requests, requestState: state };
    }
  };

  /** The method, if the era has it and the handshake has happened (INV-MCP-006). */
  const resolve = ({ name }: Asked, declared: ProtocolVersion | undefined): Method => {
    if (declared === undefined) {
      if (name === 'initialize' && shared.handshake)
        throw new RpcError(RPC.invalidRequest, 'The connection is initialized already');
      if (name !== 'initialize' && name !== 'ping' && !shared.handshake) {
        throw new RpcError(RPC.invalidRequest, `${name.slice(0, 100)} needs initialize first`);
      }
    }
    const method = options.methods.get(name);
    if (method?.eras.includes(declared === undefined ? 'handshake' : 'stateless')) return method;
    throw new RpcError(RPC.methodNotFound, `Method not found: ${name.slice(0, 100)}`);
  };

  const contextOf = ({ id, params, arrival }: Asked, { version, era, call, responses }: Settled): Request => {
    const isStateless = era === 'stateless';
    const notify = (name: string, about: Record<string, unknown>) => {
      if (!call.isOver()) arrival.reply(notificationText(name, about), false);
    };
    return new Request({
      id,
      version,
      era,
      principal: options.principal,
      isLocal: options.isLocal,
      workspace: options.workspace,
      sizeBytes: arrival.sizeBytes,
      cancellation: call.cancellation,
      state,
      isFull: options.isFull ?? never,
      notify,
      logLevel: isStateless ? logLevelOf(params) : state.logLevel,
      clientOf: () =>
        isStateless
          ? new StatelessClient(capabilitiesOf(params), responses ?? {})
          : new HandshakeClient(shared.handshake?.capabilities ?? {}, client, {
              send: (message) => arrival.reply(message, false),
              cancellation: call.cancellation,
            }),
    });
  };

  return request;
}

const never = () => false;

const settle = ({ protocolVersion, capabilities }: InitializeParams) => ({
  version: negotiate(protocolVersion),
  capabilities,
});
