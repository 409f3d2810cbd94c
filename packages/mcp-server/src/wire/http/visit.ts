import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '../../create-server.js';
import type { Connection } from '../../protocol/connection.js';
import type { Caller } from './access.js';
import type { Sessions } from './sessions.js';

/** What the endpoints share. */
export interface Endpoint {
  readonly server: Server;
  readonly sessions: Sessions;
  /** Stateless requests under way. */
  readonly stateless: Set<Connection>;
}

/** One HTTP request, let in. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
}

export const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};
