import type { Writable } from 'node:stream';

/** Above this much unread output no more input is taken: a client that never reads must not fill our memory. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

export interface Outbox {
  send(message: string): void;
  /** Resolves when all that was sent has been handed to the system. */
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

  const flush = () => {
    if (messages.length === 0) return;
    const text = `${messages.join('\n')}\n`;
    messages = [];
    output.write(text);
    if (output.writableLength > HIGH_WATER_BYTES) {
      onFull();
      output.once('drain', onDrained);
    }
  };

  return {
    send: (message) => {
      messages.push(message);
      // Asked for from a microtask, a tick comes after all microtasks of the turn: the answers of one commit leave together.
      if (messages.length === 1) queueMicrotask(() => process.nextTick(flush));
    },
    flushed: () => {
      flush();
      return new Promise((resolve) => output.write('', () => resolve()));
    },
  };
}
