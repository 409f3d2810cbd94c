import type { Log } from '../log.js';
import type { Admissions } from './admission.js';
import type { ClientRequests } from './client-requests.js';
import type { Identity } from './identity.js';
import type { Method } from './method.js';
import type { ConnectionState } from './request.js';
import type { RequestStates } from './request-state.js';

/** How long running calls may go on after `shutdown` or the end of input. */
export const GRACE_MS = 5000;

export interface ConnectionOptions {
  readonly methods: ReadonlyMap<string, Method>;
  readonly principal: string;
  readonly isLocal: boolean;
  readonly workspace: () => string | Promise<string>;
  /** Who we are, as every stateless result tells it in its `_meta`. */
  readonly identity: () => Identity;
  readonly requestStates: RequestStates;
  readonly admission: Admissions;
  /** Sends one message, as JSON text, that answers nothing in particular. */
  readonly send: (message: string) => void;
  /** True while the client does not read what it is sent. */
  readonly isFull?: (() => boolean) | undefined;
  /** The handshake is done: from now on the client hears of changes. Returns the way to end that. */
  readonly onOpen: (state: ConnectionState) => () => void;
  /** The handshake is done, or the client's folders changed. */
  readonly onClientReady: (capabilities: Readonly<Record<string, unknown>>, client: ClientRequests) => void;
  /** The client asked for the end; the answer has been sent. */
  readonly onShutdown: () => void;
  readonly log: Log;
}

/** Sends one message, as JSON text. After the last one nothing more comes for what was received. */
export type Reply = (message: string, isLast: boolean) => void;
