import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { callTool, type FuzzClient } from './fuzz-inbox.js';
import { inTime } from './raw-socket.js';

/** A client that goes on calling beside whatever else happens. */
export interface Neighbour {
  /** Throws if it ever got another answer than its own, or none in time. */
  check(): void;
  /** Ends it, checks, and gives how many calls were answered. */
  stop(): Promise<number>;
}

export function startNeighbour(name: string, client: FuzzClient): Neighbour {
  let problem: unknown;
  let answered = 0;
  let isStopped = false;

  const callOn = async () => {
    while (!isStopped) {
      const value = { name, number: answered };
      // Everybody uses these ids.
      const called = callTool(client, answered % 10, { name: 'test_echo', arguments: value });
      expect(await inTime(`The answer to ${name}`, called)).toEqual({ echo: value });
      answered += 1;
      await sleep(5);
    }
  };
  const calling = callOn().catch((error: unknown) => {
    problem = error;
  });

  const check = () => {
    if (problem) throw problem;
  };
  return {
    check,
    stop: async () => {
      isStopped = true;
      await calling;
      check();
      const answers = client.inbox.received.filter(({ method, id }) => method === undefined && id !== 'opening');
      expect(answers.length).toBe(answered);
      return answered;
    },
  };
}
