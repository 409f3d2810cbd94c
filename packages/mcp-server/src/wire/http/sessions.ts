import { randomUUID } from 'node:crypto';
import type { Connection } from '../../protocol/connection.js';
import { GRACE_MS } from '../../protocol/connection-options.js';
import type { Caller } from './access.js';
import { Refusal } from './refusal.js';
import { createSessionStreams, type SessionStreams } from './session-streams.js';

const MAX_SESSIONS = 1000;
/** Where there are several principals, one leaves at least half of the places to the others. */
const MAX_OF_PRINCIPAL = MAX_SESSIONS / 2;
const IDLE_MS = 30 * 60 * 1000;
/** When all places are taken, one that has been idle for this long makes room. */
const EVICTABLE_MS = 60 * 1000;
const SWEEP_MS = 60 * 1000;

/** One client of the handshake era over HTTP. */
export interface Session {
  readonly id: string;
  readonly principal: string;
  readonly connection: Connection;
  readonly streams: SessionStreams;
  usedAt: number;
  /** Requests under way. */
  underWay: number;
}

export interface Sessions {
  open(caller: Caller, connect: (way: Way) => Connection): Session;
  /** Throws where there is none of that principal's with this id. */
  find(id: string | undefined, caller: Caller): Session;
  close(session: Session): Promise<void>;
  closeAll(): Promise<void>;
  size(): number;
  /** Milliseconds of the monotonic clock. */
  now(): number;
}

/** How a session's connection reaches its client, and ends. */
export interface Way {
  readonly send: (message: string) => void;
  readonly onShutdown: () => void;
}

interface SessionsOptions {
  /** Milliseconds of the monotonic clock. */
  readonly now?: () => number;
}

export function createSessions({ now = () => performance.now() }: SessionsOptions = {}): Sessions {
  const sessions = new Map<string, Session>();
  const newStreams = createSessionStreams();

  const idleFor = ({ streams, usedAt, underWay }: Session) =>
    underWay > 0 || streams.isAttached() ? 0 : now() - usedAt;

  const close = async (session: Session) => {
    sessions.delete(session.id);
    await session.connection.abandon();
    session.streams.close();
  };

  const sweep = () => {
    for (const session of sessions.values()) if (idleFor(session) > IDLE_MS) void close(session);
  };
  const sweeping = setInterval(sweep, SWEEP_MS).unref();

  /** At the maximum, of all or of one principal, the one that has been idle longest is closed. */
  const makeRoom = ({ principal, isLocal }: Caller) => {
    const own = isLocal ? [] : [...sessions.values()].filter((session) => session.principal === principal);
    const crowd = own.length >= MAX_OF_PRINCIPAL ? own : sessions.size >= MAX_SESSIONS ? [...sessions.values()] : [];
    if (crowd.length === 0) return;
    const idlest = crowd.reduce((one, other) => (idleFor(other) > idleFor(one) ? other : one));
    if (idleFor(idlest) <= EVICTABLE_MS) throw Refusal.tooMany('Too many sessions are open', EVICTABLE_MS);
    void close(idlest);
  };

  return {
    open: (caller, connect) => {
      makeRoom(caller);
      const streams = newStreams();
      const id = randomUUID();
      const connection = connect({ send: streams.own.push, onShutdown: () => void close(session) });
      const session: Session = { id, principal: caller.principal, connection, streams, usedAt: now(), underWay: 0 };
      sessions.set(id, session);
      return session;
    },
    find: (id, { principal }) => {
      if (id === undefined) throw Refusal.of(400, 'The header Mcp-Session-Id is missing; initialize gives one');
      const found = sessions.get(id);
      if (found?.principal !== principal) throw Refusal.of(404, 'There is no such session; initialize opens one');
      found.usedAt = now();
      return found;
    },
    close,
    closeAll: async () => {
      clearInterval(sweeping);
      const open = [...sessions.values()];
      await Promise.all(open.map(({ connection }) => connection.drain(GRACE_MS)));
      await Promise.all(open.map(close));
    },
    size: () => sessions.size,
    now,
  };
}
