import { randomUUID } from 'node:crypto';
import { createMessageStream, type MessageStream } from './message-stream.js';
import { createReplayBudget } from './replay-budget.js';

/** How long an answer is kept for a client that lost its connection. */
const KEPT_MS = 5 * 60 * 1000;
/** Of those that have ended; the number of those that go on is bounded by that of requests. */
const MAX_ENDED = 64;
const OWN = 'own';
/** In characters. */
const MAX_OF_SESSION = 8 * 1024 * 1024;

/** The streams of one session: its own, for what answers nothing in particular, and those of its requests. */
export interface SessionStreams {
  readonly own: MessageStream;
  open(): MessageStream;
  find(id: string): MessageStream | undefined;
  /** True while the client reads one of them. */
  isAttached(): boolean;
  close(): void;
}

/** All sessions together keep no more than the budget allows, and one session a part of that. */
export function createSessionStreams(): () => SessionStreams {
  const all = createReplayBudget();
  return () => {
    const budget = createReplayBudget(MAX_OF_SESSION, all);
    const own = createMessageStream({ id: OWN, budget });
    const streams = new Map<string, MessageStream>();
    const timers = new Map<string, NodeJS.Timeout>();
    const remove = (id: string) => {
      clearTimeout(timers.get(id));
      timers.delete(id);
      streams.get(id)?.forget();
      streams.delete(id);
    };
    const keepForAWhile = (id: string) => {
      if (!streams.has(id) || timers.has(id)) return;
      timers.set(id, setTimeout(() => remove(id), KEPT_MS).unref());
      const ended = [...streams.values()].filter((stream) => stream.isEnded());
      if (ended.length > MAX_ENDED) remove((ended[0] as MessageStream).id);
    };
    return {
      own,
      open: () => {
        const id = randomUUID();
        const stream = createMessageStream({ id, budget, onEnd: () => keepForAWhile(id) });
        streams.set(id, stream);
        return stream;
      },
      find: (id) => (id === OWN ? own : streams.get(id)),
      isAttached: () => [own, ...streams.values()].some((stream) => stream.isAttached()),
      close: () => {
        own.end();
        own.forget();
        for (const [id, stream] of streams) {
          stream.end();
          remove(id);
        }
      },
    };
  };
}
