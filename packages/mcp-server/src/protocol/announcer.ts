import { within } from '../within.js';
import { notificationText } from './json-rpc.js';
import { createWatchedUris, type Subscriber, tooMany, type Watching, type WatchOptions } from './watched-uris.js';

/** All subscribers of one principal together, or looking at what they watch would take all the time. */
const MAX_OF_PRINCIPAL = 10_000;
/** A change by another process is announced within a second. */
const INTERVAL_MS = 250;
/** How long the end waits for a look that is under way. */
const CLOSE_MS = 250;

export type ListKind = 'tools' | 'resources' | 'prompts';
const EVERY_LIST: ReadonlySet<ListKind> = new Set(['tools', 'resources', 'prompts']);

/** Somebody who is told of changes: a connection of the handshake era, or a part of a `subscriptions/listen`. */
export interface Audience extends Watching {
  /** The lists whose changes it hears of. */
  readonly lists: ReadonlySet<ListKind>;
}

interface Listener {
  readonly principal: string;
  readonly send: (message: string) => void;
  readonly isFull?: () => boolean;
}

/** A connection of the handshake era: it hears of every list, and of the resources that it subscribed to. */
export const connectionAudience = (
  { principal, send, isFull = () => false }: Listener,
  uris: Set<string>,
): Audience => ({
  principal,
  uris,
  isFull,
  lists: EVERY_LIST,
  notify: (method, params) => send(notificationText(method, params)),
});

/** Tells clients what has changed. One timer for all of them, which runs only while there may be something to tell. */
export interface Announcer {
  /**
   * Adds URIs to what the subscriber is told of once it has joined, and resolves when no later change can be missed, with
   * those that were added: all but what nothing could ever have. What does not exist yet is fine.
   */
  subscribe(subscriber: Subscriber, uris: readonly string[]): Promise<readonly string[]>;
  unsubscribe(subscriber: Subscriber, uri: string): void;
  /** From now on it is told. Returns the way to end that. */
  join(audience: Audience): () => void;
  /** What changes several times within a tick is announced once. */
  listChanged(kind: ListKind): void;
  close(): Promise<void>;
}

interface AnnouncerOptions extends WatchOptions {
  readonly intervalMs?: number;
}

export function createAnnouncer({ intervalMs = INTERVAL_MS, ...options }: AnnouncerOptions): Announcer {
  const watched = createWatchedUris(options);
  const audiences = new Set<Audience>();
  const changedLists = new Set<ListKind>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> = Promise.resolve();
  let isClosed = false;

  const wake = () => {
    const isNeeded = changedLists.size > 0 || [...audiences].some(({ uris }) => uris.size > 0);
    if (isClosed || timer !== undefined || !isNeeded) return;
    timer = setTimeout(() => {
      ticking = tick().finally(() => {
        timer = undefined;
        wake();
      });
    }, intervalMs).unref();
  };

  const tick = async () => {
    for (const kind of changedLists) {
      for (const { lists, notify } of audiences) if (lists.has(kind)) notify(`notifications/${kind}/list_changed`, {});
    }
    changedLists.clear();
    await watched.look(audiences);
  };

  return {
    subscribe: async (subscriber, uris) => {
      const { principal } = subscriber;
      const own = [...audiences].filter((audience) => audience.principal === principal);
      const watchedByThem = own.reduce((sum, audience) => sum + audience.uris.size, uris.length);
      if (watchedByThem > MAX_OF_PRINCIPAL) throw tooMany(MAX_OF_PRINCIPAL);
      const added = await watched.begin(subscriber, uris);
      wake();
      return added;
    },
    unsubscribe: watched.end,
    join: (audience) => {
      audiences.add(audience);
      watched.lookAtAll();
      wake();
      return () => void audiences.delete(audience);
    },
    listChanged: (kind) => {
      changedLists.add(kind);
      wake();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      audiences.clear();
      await within(CLOSE_MS, ticking);
    },
  };
}
