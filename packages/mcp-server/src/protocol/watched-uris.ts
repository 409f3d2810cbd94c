import { setImmediate as otherWork } from 'node:timers/promises';
import { RPC, RpcError } from './json-rpc.js';

/** More of one subscriber would make every look at them too long. */
const MAX_URIS = 1000;
const RETRY_MS = 1000;
/** How many stamps are asked for before others are served. */
const AT_ONCE = 100;

/** Somebody who wants to know when resources change. */
export interface Subscriber {
  readonly principal: string;
  readonly uris: Set<string>;
}

export interface Watching extends Subscriber {
  notify(method: string, params: Record<string, unknown>): void;
  /** True while it does not read what it is sent: then it is told later, and only what is so by then. */
  isFull?(): boolean;
}

export interface WatchOptions {
  /** Another text whenever what the URI names has changed; undefined where nothing could ever have this URI. */
  readonly stampOf: (uri: string, principal: string) => Promise<string> | undefined;
  /** Another value after any change of what `isVersioned`. */
  readonly version: () => unknown;
  /** False where a change may leave the version as it is: those are asked for every time. */
  readonly isVersioned: (uri: string) => boolean;
}

/** Finds out which resources have changed since each subscriber was last told. */
export function createWatchedUris({ stampOf, version, isVersioned }: WatchOptions) {
  /** The stamps that a subscriber knows, by its set of URIs, so that they go with it. Undefined: could not be had. */
  const known = new WeakMap<ReadonlySet<string>, Map<string, string | undefined>>();
  /** The version at the last look, unless somebody or something was left out of it. */
  let seen: unknown;
  const lookAtAll = (): undefined => {
    seen = undefined;
    return undefined;
  };

  const stampsOf = (uris: ReadonlySet<string>) => {
    const stamps = known.get(uris) ?? new Map<string, string | undefined>();
    known.set(uris, stamps);
    return stamps;
  };

  /** Undefined where it cannot be told now. */
  const versionNow = (): unknown => {
    try {
      return version();
    } catch {
      return undefined;
    }
  };

  /** Undefined where it could not be had: it is asked for again at the next look, whatever the version. */
  const unlessFailing = (stamp: Promise<string> | undefined): Promise<string | undefined> =>
    Promise.resolve(stamp).catch(lookAtAll);

  /** Each URI of each principal once, with those who wait for it. */
  const toAskFor = (audience: Iterable<Watching>, isSame: boolean) => {
    const asked = new Map<string, { uri: string; principal: string; waiting: Watching[] }>();
    for (const one of audience) {
      for (const uri of stampsOf(one.uris).keys()) {
        if (isSame && isVersioned(uri)) continue;
        const key = JSON.stringify([one.principal, uri]);
        const entry = asked.get(key) ?? { uri, principal: one.principal, waiting: [] };
        asked.set(key, entry);
        entry.waiting.push(one);
      }
    }
    return [...asked.values()];
  };

  const tell = (one: Watching, uri: string, stamp: string) => {
    const stamps = stampsOf(one.uris);
    // It may have unsubscribed while the stamp was asked for.
    if (!stamps.has(uri) || stamps.get(uri) === stamp) return;
    if (one.isFull?.()) return lookAtAll();
    stamps.set(uri, stamp);
    one.notify('notifications/resources/updated', { uri });
  };

  /** False where nothing could ever have this URI. */
  const watch = async ({ principal, uris }: Subscriber, uri: string): Promise<boolean> => {
    const stamps = stampsOf(uris);
    if (stamps.has(uri)) return true;
    const asked = stampOf(uri, principal);
    if (asked === undefined) return false;
    uris.add(uri);
    const first = await unlessFailing(asked);
    // It may have unsubscribed, or asked twice, meanwhile.
    if (uris.has(uri) && !stamps.has(uri)) stamps.set(uri, first);
    // Others may have been told of a change since the stamp was asked for.
    lookAtAll();
    return true;
  };

  return {
    lookAtAll,
    /** Resolves, when no later change can be missed, with those that something has or may have one day. */
    begin: async (subscriber: Subscriber, asked: readonly string[]): Promise<readonly string[]> => {
      const distinct = [...new Set(asked)];
      if (new Set([...subscriber.uris, ...distinct]).size > MAX_URIS) throw tooMany(MAX_URIS);
      const isWatched = await Promise.all(distinct.map((uri) => watch(subscriber, uri)));
      return distinct.filter((_uri, index) => isWatched[index]);
    },
    end: ({ uris }: Subscriber, uri: string): void => {
      uris.delete(uri);
      stampsOf(uris).delete(uri);
    },
    /** Tells all who are still there what has changed. What cannot be looked at now is left for the next time. */
    look: async (audience: ReadonlySet<Watching>): Promise<void> => {
      const current = versionNow();
      if (current === undefined) return;
      const asked = toAskFor(audience, current === seen);
      seen = current;
      for (const [index, { uri, principal, waiting }] of asked.entries()) {
        if (!waiting.some((one) => audience.has(one))) continue;
        const stamp = await unlessFailing(stampOf(uri, principal));
        if (stamp === undefined) continue;
        for (const one of waiting) if (audience.has(one)) tell(one, uri, stamp);
        if (index % AT_ONCE === AT_ONCE - 1) await otherWork();
      }
    },
  };
}

export const tooMany = (max: number): RpcError =>
  new RpcError(RPC.busy, `More than ${max} resources cannot be watched at once`, {
    code: 'RATE_LIMITED',
    retryAfterMs: RETRY_MS,
  });
