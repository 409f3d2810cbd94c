import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../../protocol/connection.js';
import { isHandshakeVersion } from '../../protocol/versions.js';
import type { Server } from '../../server.js';
import type { Caller } from './access.js';
import { Refusal } from './refusal.js';
import type { Sessions } from './sessions.js';
import type { Vigil } from './vigil.js';

/** What the endpoints share. */
export interface Endpoint {
  readonly server: Server;
  readonly sessions: Sessions;
  /** Stateless requests under way. */
  readonly stateless: Set<Connection>;
  readonly vigil: Vigil;
  /** True once the server is stopping: nothing new is begun. */
  readonly isStopping: () => boolean;
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

/** From 2025-06-18 on clients repeat the session's version, and one that sessions do not have is refused. */
export function versionOf(request: IncomingMessage): string | undefined {
  const version = header(request, 'mcp-protocol-version');
  if (version === undefined || isHandshakeVersion(version)) return version;
  throw Refusal.of(400, 'This MCP-Protocol-Version is not one that sessions have');
}
