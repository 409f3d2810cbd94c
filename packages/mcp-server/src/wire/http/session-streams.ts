import { randomUUID } from 'node:crypto';
import { createMessageStream, type MessageStream } from './message-stream.js';
import { createReplayBudget } from './replay-budget.js';

/** How long an answer is kept for a client that lost its connection. */
const KEPT_MS = 5 * 60 * 1000;
const MAX_STREAMS = 64;
const OWN = 'own';

/** The streams of one session: its own, for what answers nothing in particular, and those of its requests. */
export interface SessionStreams {
  readonly own: MessageStream;
  open(): MessageStream;
  find(id: string): MessageStream | undefined;
  close(): void;
}

/** All sessions together keep no more than the budget allows. */
export function createSessionStreams(): () => SessionStreams {
  const budget = createReplayBudget();
  return () => {
    const own = createMessageStream({ id: OWN, budget });
    const streams = new Map<string, MessageStream>();
    const remove = (id: string) => {
      streams.get(id)?.forget();
      streams.delete(id);
    };
    return {
      own,
      open: () => {
        const stream = createMessageStream({ id: randomUUID(), budget });
        const [oldest] = streams.keys();
        if (streams.size >= MAX_STREAMS && oldest !== undefined) remove(oldest);
        streams.set(stream.id, stream);
        setTimeout(() => remove(stream.id), KEPT_MS).unref();
        return stream;
      },
      find: (id) => (id === OWN ? own : streams.get(id)),
      close: () => {
        for (const stream of [own, ...streams.values()]) {
          stream.end();
          stream.forget();
        }
        streams.clear();
      },
    };
  };
}
