import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import type { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'vitest';
import { ask, callTool, type FuzzClient } from './fuzz-inbox.js';

export interface Call {
  /** Its id and its progress token; everybody uses the same. */
  readonly number: number;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly wantsProgress: boolean;
}

/** One of many clients, whatever it speaks. */
export interface Participant {
  readonly kind: string;
  /** The official clients drop progress that they read together with the answer. */
  readonly hearsAll: boolean;
  /** The data of the answer, and the progress that was told for this call. */
  call(call: Call): Promise<{ data: unknown; progress: readonly number[] }>;
  /** Begins a call that takes long, and gives it up. */
  giveUp(number: number): Promise<void>;
  /** Begins a call that takes long, and does not wait for it. */
  hang(number: number): void;
  /** Throws if anything came that was not asked for. */
  verify(): void;
  leave(): Promise<unknown>;
  drop(): unknown;
}

const LONG = { name: 'test_wait', arguments: { ms: 20_000 } };
const STARTING_MS = 30;

export function participant(kind: string, client: FuzzClient): Participant {
  const { received } = client.inbox;
  const expected = new Set<unknown>(['opening']);
  const toldFor = (token: unknown) =>
    received.filter(({ method, params }) => method === 'notifications/progress' && params.progressToken === token);
  const silent = new Set<unknown>();
  const begin = (number: number) => void ask(client, number, { method: 'tools/call', params: LONG });
  return {
    kind,
    hearsAll: true,
    call: async ({ number, wantsProgress, ...call }) => {
      expected.add(number);
      if (!wantsProgress) silent.add(number);
      const data = await callTool(client, number, {
        ...call,
        ...(wantsProgress && { _meta: { progressToken: number } }),
      });
      return { data, progress: toldFor(number).map(({ params }) => params.progress) };
    },
    giveUp: async (number) => {
      begin(number);
      await sleep(STARTING_MS);
      await client.cancel(number);
    },
    hang: begin,
    verify: () => {
      const answers = received.filter(({ method }) => method === undefined).map(({ id }) => id);
      expect(new Set(answers).size, `${kind} got an answer twice`).toBe(answers.length);
      expect(answers.filter((id) => !expected.has(id))).toEqual([]);
      const tokens = received.filter(({ method }) => method === 'notifications/progress').map((one) => one.params);
      expect(tokens.filter(({ progressToken }) => silent.has(progressToken))).toEqual([]);
    },
    leave: client.leave,
    drop: client.drop,
  };
}

interface Ways {
  readonly leave: () => Promise<unknown>;
  readonly drop: () => unknown;
}

/** The official clients choose their ids and tokens themselves, from 0 on: they are the same too. */
export function sdkParticipant(kind: string, client: Client | OlderClient, ways: Ways): Participant {
  const problems: Error[] = [];
  let unheard = 0;
  // Among these are answers and progress of requests that it never made.
  client.onerror = (error) => problems.push(error);
  const callWith = (call: { name: string; arguments: Record<string, unknown> }, options: object) =>
    client instanceof Client ? client.callTool(call, options) : client.callTool(call, undefined, options);
  return {
    kind,
    hearsAll: false,
    call: async ({ name, arguments: input, wantsProgress }) => {
      const progress: number[] = [];
      const onprogress = (update: { progress: number }) => void progress.push(update.progress);
      const answer = await callWith({ name, arguments: input }, wantsProgress ? { onprogress } : {});
      if (wantsProgress) unheard += 2 - progress.length;
      const [content] = answer.content as { text: string }[];
      return { data: JSON.parse(content?.text ?? '{}').data, progress };
    },
    giveUp: async () => {
      const giving = callWith(LONG, { signal: AbortSignal.timeout(STARTING_MS) });
      await expect(giving).rejects.toThrow();
    },
    hang: () => void callWith(LONG, {}).catch(() => {}),
    verify: () => {
      expect(problems.filter(({ message }) => /unknown message/i.test(message))).toEqual([]);
      expect(problems.filter(({ message }) => /unknown token/i.test(message)).length).toBe(unheard);
    },
    ...ways,
  };
}
