import type { ProtocolVersion } from '@automatosx/contracts';
import { type Cancellation, CLIENT_LOG_LEVELS, type ClientLogLevel, type ClientPort } from '@automatosx/mcp-runtime';
import type { RequestId } from './json-rpc.js';
import type { Era } from './versions.js';

/** What a connection of the handshake era remembers of what its client asked for. */
export interface ConnectionState {
  /** What is less important is not told. */
  logLevel: ClientLogLevel;
  /** The resources whose changes are announced. */
  readonly subscriptions: Set<string>;
}

/** One request on its way: what the connection knows of it. */
export interface RequestContext {
  readonly id: RequestId;
  readonly version: ProtocolVersion;
  readonly era: Era;
  readonly principal: string;
  readonly isLocal: boolean;
  readonly workspace: () => string | Promise<string>;
  readonly sizeBytes: number;
  readonly cancellation: Cancellation;
  readonly client: ClientPort;
  readonly state: ConnectionState;
  /** True while the client does not read what it is sent. */
  readonly isFull: () => boolean;
  notify(method: string, params: Record<string, unknown>): void;
  /** Tells the client, if it wants to hear of what is as important as this. */
  log(level: ClientLogLevel, data: unknown): void;
}

type Given = Omit<RequestContext, 'log' | 'client'> & {
  /** Undefined where the client hears nothing. */
  readonly logLevel: ClientLogLevel | undefined;
  readonly clientOf: () => ClientPort;
};

/** A class, because most requests need neither the client nor its log, and closures for them would cost every call. */
export class Request implements RequestContext {
  readonly id: RequestId;
  readonly version: ProtocolVersion;
  readonly era: Era;
  readonly principal: string;
  readonly isLocal: boolean;
  readonly workspace: () => string | Promise<string>;
  readonly sizeBytes: number;
  readonly cancellation: Cancellation;
  readonly state: ConnectionState;
  readonly isFull: () => boolean;
  readonly notify: RequestContext['notify'];
  readonly #given: Given;
  #client: ClientPort | undefined;

  constructor(given: Given) {
    this.id = given.id;
    this.version = given.version;
    this.era = given.era;
    this.principal = given.principal;
    this.isLocal = given.isLocal;
    this.workspace = given.workspace;
    this.sizeBytes = given.sizeBytes;
    this.cancellation = given.cancellation;
    this.state = given.state;
    this.isFull = given.isFull;
    this.notify = given.notify;
    this.#given = given;
  }

  get client(): ClientPort {
    this.#client ??= this.#given.clientOf();
    return this.#client;
  }

  readonly log = (level: ClientLogLevel, data: unknown): void => {
    const { logLevel } = this.#given;
    if (logLevel === undefined || !isAtLeast(level, logLevel)) return;
    this.notify('notifications/message', { level, logger: 'automatosx', data });
  };
}

const isAtLeast = (level: ClientLogLevel, least: ClientLogLevel): boolean =>
  CLIENT_LOG_LEVELS.indexOf(level) >= CLIENT_LOG_LEVELS.indexOf(least);
