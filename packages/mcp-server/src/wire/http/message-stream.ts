import type { ServerResponse } from 'node:http';
import type { ReplayBudget } from './replay-budget.js';

/** What a client that lost its connection may come back for. */
const MAX_KEPT = 256;
/** A client that reads this much too slowly is cut off; it can come back and go on. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** How long a client that lost its connection should wait before it comes back. */
const RETRY_MS = 1000;
/** Proxies close a connection on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;

interface Kept {
  readonly number: number;
  readonly message: string;
}

/** Server-sent events for one request, or for a session: sent to whoever is attached, kept for whoever comes back. */
export interface MessageStream {
  readonly id: string;
  push(message: string): void;
  /** No more messages; the attached response ends. */
  end(): void;
  isAttached(): boolean;
  isEnded(): boolean;
  /** True if everything after that number is still kept. */
  keepsAllAfter(number: number): boolean;
  /** Sends what came after that number (else what nobody has got yet), and from now on everything. */
  attach(response: ServerResponse, options?: AttachOptions): void;
  /** Forgets what it kept. */
  forget(): void;
}

interface AttachOptions {
  readonly after?: number;
  /** An event before all others. */
  readonly opening?: string;
  /** Begins with an event without data, so that the client has a place to come back to (2025-11-25). */
  readonly isPrimed?: boolean;
}

interface StreamOptions {
  readonly id: string;
  readonly onEnd?: () => void;
  /** Absent where nobody can come back: then events have no ids and nothing is kept. */
  readonly budget?: ReplayBudget;
}

export function createMessageStream({ id, budget, onEnd }: StreamOptions): MessageStream {
  const kept: Kept[] = [];
  let count = 0;
  let delivered = 0;
  let ended = false;
  let isForgotten = false;
  let attached: ServerResponse | undefined;

  const keep = (entry: Kept) => {
    if (isForgotten || !budget?.take(entry.message.length)) return;
    kept.push(entry);
    if (kept.length > MAX_KEPT) budget.give(kept.shift()?.message.length ?? 0);
  };

  const write = (response: ServerResponse, { number, message }: Kept) => {
    // Judged by what was sent before: one message may be longer than that, and its client may be reading.
    if (response.writableLength > MAX_UNREAD_BYTES) return void response.destroy();
    response.write(`${budget ? `id: ${id}.${number}\n` : ''}event: message\ndata: ${message}\n\n`);
    delivered = number;
  };

  return {
    id,
    push: (message) => {
      const entry = { number: ++count, message };
      keep(entry);
      if (attached && isOpen(attached)) write(attached, entry);
    },
    end: () => {
      ended = true;
      onEnd?.();
      attached?.end();
    },
    isAttached: () => attached !== undefined,
    isEnded: () => ended,
    keepsAllAfter: (number) => number >= count || (kept[0] !== undefined && kept[0].number <= number + 1),
    attach: (response, { after = delivered, opening, isPrimed = false } = {}) => {
      attached?.end();
      attached = response;
      startEvents(response);
      if (opening !== undefined) response.write(opening);
      if (isPrimed) response.write(`id: ${id}.${after}\nretry: ${RETRY_MS}\ndata: \n\n`);
      const keepAlive = setInterval(() => isOpen(response) && response.write(':\n\n'), KEEP_ALIVE_MS).unref();
      response.once('close', () => {
        clearInterval(keepAlive);
        if (attached === response) attached = undefined;
      });
      for (const entry of kept) if (entry.number > after && isOpen(response)) write(response, entry);
      if (ended) response.end();
    },
    forget: () => {
      isForgotten = true;
      for (const { message } of kept) budget?.give(message.length);
      kept.length = 0;
    },
  };
}

/** False once it was ended or has broken, though its client may not have read all of it yet. */
const isOpen = (response: ServerResponse): boolean => !response.writableEnded && !response.destroyed;

function startEvents(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
}

/** The stream and the number that an event's id names. */
export function parseEventId(text: string): { stream: string; number: number } | undefined {
  const match = /^([\w-]{1,64})\.(\d{1,15})$/.exec(text);
  return match ? { stream: match[1] as string, number: Number(match[2]) } : undefined;
}
