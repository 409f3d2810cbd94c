import type { Config } from '@automatosx/contracts/config';
import type { Tool } from '@automatosx/mcp-runtime';
import type { Redactor } from '@automatosx/trace-domain';
import type { Catalog } from './catalog.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Prompt } from './prompts/prompt.js';
import type { ListKind } from './protocol/announcer.js';
import type { Connection } from './protocol/connection.js';
import type { ResourceSource } from './resources/resource.js';

export interface ServerOptions {
  /** Where data is kept. */
  readonly home: string;
  readonly workspace: string;
  /** True if the user named the workspace; else a client may tell its own. */
  readonly isWorkspaceFixed: boolean;
  /** Stands in for the global configuration file. */
  readonly configFile?: string | undefined;
  /** Where the user named it: a flag, or a variable of the environment. */
  readonly configSource?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `all`, `core`, or names with commas between them. */
  readonly toolSelection: string;
  readonly version: string;
  readonly log: Log;
  /** Hears how secrets are told, at first and when the configuration changes: logs must not show them either. */
  readonly onRedactor?: (redactor: Redactor) => void;
  /** Tests make an output that breaks its schema a failure. */
  readonly isStrict?: boolean;
  readonly now?: () => number;
  /** What is offered beside our own. */
  readonly extra?: Extra;
}

export interface Extra {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly ResourceSource[];
  readonly prompts?: readonly Prompt[];
  /** Gets the server that these are offered by. */
  readonly onServer?: (server: Server) => void;
}

/** A client's side of a connection: who it is and how to reach it. */
export interface Peer {
  readonly principal: string;
  readonly isLocal: boolean;
  readonly send: (message: string) => void;
  /** True while the client does not read what it is sent, where the transport does not end that itself. */
  readonly isFull?: () => boolean;
  readonly onShutdown: () => void;
}

export interface Server {
  readonly catalog: Catalog;
  readonly metrics: Metrics;
  config(): Config;
  /** Why calls cannot be served now, in a sentence; undefined if they can. */
  problem(): Promise<string | undefined>;
  connect(peer: Peer): Connection;
  /** Tells all clients that one of the lists has changed. */
  announce(list: ListKind): void;
  /** Opens the data and mends what an earlier process left behind. Calls work without it, only later. */
  start(): Promise<void>;
  /** Removes what has expired now instead of within a minute. */
  sweep(): Promise<void>;
  /** Gives what runs without a connection the time that connections have, and interrupts it after that. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
