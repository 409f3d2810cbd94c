import type { Writable } from 'node:stream';
import { within } from '../within.js';

/** Above this much unread output no more input is taken: a client that never reads must not fill our memory. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

/** Answers beyond this go in a write of their own: together they could be longer than a string can be. */
const MAX_WRITE = 1024 * 1024;

/** At the end a client that takes nothing for this long is given up: it must not keep the process alive. */
const PATIENCE_MS = 2000;

export interface Outbox {
  send(message: string): void;
  /** True while the client leaves too much unread. */
  isFull(): boolean;
  /** Resolves when all that was sent has been handed to the system, or the client has stopped taking it. */
  flushed(): Promise<void>;
}

interface OutboxOptions {
  readonly output: Writable;
  readonly onFull: () => void;
  readonly onDrained: () => void;
}

/** Writes all messages of one turn of the event loop at once, one per line. */
export function createOutbox({ output, onFull, onDrained }: OutboxOptions): Outbox {
  let messages: string[] = [];
  let isFull = false;

  const flush = () => {
    let text = '';
    for (const message of messages) {
      text += `${message}\n`;
      if (text.length < MAX_WRITE) continue;
      output.write(text);
      text = '';
    }
    messages = [];
    if (text !== '') output.write(text);
    if (isFull || output.writableLength <= HIGH_WATER_BYTES) return;
    isFull = true;
    onFull();
    output.once('drain', () => {
      isFull = false;
      onDrained();
    });
  };

  return {
    send: (message) => {
      messages.push(message);
      // Asked for from a microtask, a tick comes after all microtasks of the turn: the answers of one commit leave together.
      if (messages.length === 1) queueMicrotask(() => process.nextTick(flush));
    },
    isFull: () => isFull,
    flushed: async () => {
      flush();
      const done = new Promise<void>((resolve) => output.write('', () => resolve()));
      let left: number;
      do left = output.writableLength;
      while (!(await within(PATIENCE_MS, done)) && output.writableLength < left);
    },
  };
}
