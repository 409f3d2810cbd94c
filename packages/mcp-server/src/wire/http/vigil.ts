import type { IncomingMessage } from 'node:http';
import type { Caller } from './access.js';
import { Refusal } from './refusal.js';

/** How long what was opened with a token may outlive it. */
const INTERVAL_MS = 15_000;
const UNAVAILABLE = 503;

/** Something that stays open after its request was let in. */
interface Watched {
  readonly request: IncomingMessage;
  readonly principal: string;
  readonly end: () => void;
}

interface Closable {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** Ends streams and sockets whose token was taken back or has expired. */
export interface Vigil {
  watch(request: IncomingMessage, caller: Caller, opened: Closable): void;
  size(): number;
}

type Check = (request: IncomingMessage) => Caller | Promise<Caller>;

export function createVigil(check: Check, intervalMs = INTERVAL_MS): Vigil {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  const isStillLetIn = async ({ request, principal }: Watched): Promise<boolean> => {
    try {
      return (await check(request)).principal === principal;
    } catch (error) {
      // While the issuer cannot be asked, nobody is thrown out.
      return error instanceof Refusal && error.status === UNAVAILABLE;
    }
  };

  const look = async () => {
    for (const one of watched) if (!(await isStillLetIn(one))) one.end();
  };

  const wake = () => {
    if (timer !== undefined || watched.size === 0) return;
    timer = setTimeout(async () => {
      await look();
      timer = undefined;
      wake();
    }, intervalMs).unref();
  };

  return {
    watch: (request, { principal }, opened) => {
      const entry = { request, principal, end: () => void opened.destroy() };
      watched.add(entry);
      opened.once('close', () => watched.delete(entry));
      wake();
    },
    size: () => watched.size,
  };
}
