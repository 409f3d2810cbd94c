import { setTimeout as sleep } from 'node:timers/promises';
import { defineContract } from '@automatosx/contracts';
import { implement } from '@automatosx/mcp-runtime';
import * as z from 'zod';

const contract = <I extends z.ZodType>(name: string, input: I) =>
  defineContract({
    name,
    title: name,
    description: 'A tool made for testing, whose calls may take long',
    category: 'execution',
    effect: 'world',
    input,
    output: z.looseObject({}),
    errors: [],
  });

/** Tools whose calls are tasks for clients that know tasks. */
export const taskTools = [
  implement(contract('test_long', z.strictObject({ ms: z.int() })), async ({ ms }, { signal, progress }) => {
    progress({ progress: 1, total: 2, message: 'half of it is done' });
    await sleep(ms, undefined, { signal });
    return { waited: ms };
  }),
  implement(contract('test_ask', z.strictObject({ rounds: z.int() })), async ({ rounds }, { client }) => {
    const names: unknown[] = [];
    for (let round = 0; round < rounds; round++) {
      const ask = (message: string) => ({ method: 'elicitation/create', params: { mode: 'form', message } }) as const;
      const answers = await client.ask({ first: ask('Your first name?'), last: ask('Your last name?') });
      names.push([answers.first, answers.last]);
    }
    return { names };
  }),
];
