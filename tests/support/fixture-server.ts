import { setTimeout as sleep } from 'node:timers/promises';
import { defineContract } from '@automatosx/contracts';
import { implement } from '@automatosx/mcp-runtime';
import { main, type Server } from '@automatosx/mcp-server';
import * as z from 'zod';
import { taskTools } from './task-tools.js';

const contract = <I extends z.ZodType>(name: string, input: I, rest: object = {}) =>
  defineContract({
    name,
    title: name,
    description: 'A tool made for testing',
    category: 'query',
    effect: 'read',
    input,
    output: z.looseObject({}),
    errors: [],
    ...rest,
  });

let runs = 0;
let server: Server | undefined;
const named = z.strictObject({ name: z.string() });

/** Tools that do on purpose what tools should not, or take as long as they are told. */
const tools = [
  implement(contract('test_echo', z.looseObject({})), async (input) => ({ echo: input })),
  implement(contract('test_size', z.strictObject({ items: z.int(), length: z.int() })), async ({ items, length }) => ({
    items: Array.from({ length: items }, (_, index) => ({ index, text: 'x'.repeat(length) })),
  })),
  implement(contract('test_wait', z.strictObject({ ms: z.int() })), async ({ ms }, { signal, progress }) => {
    progress({ progress: 0, total: 1, message: 'waiting' });
    await sleep(ms, undefined, { signal });
    progress({ progress: 1, total: 1, message: 'done' });
    return { waited: ms };
  }),
  implement(contract('test_ignore_signal', z.strictObject({ ms: z.int() })), async ({ ms }) => {
    await sleep(ms);
    return {};
  }),
  implement(contract('test_count', z.strictObject({}), { cacheUntil: ['memory'] }), async () => ({ runs: ++runs })),
  implement(contract('test_count_writes', z.looseObject({}), { effect: 'world', category: 'mutation' }), async () => ({
    runs: ++runs,
  })),
  implement(
    contract('test_slow_write', z.strictObject({ ms: z.int() }), { effect: 'world', category: 'mutation' }),
    async ({ ms }) => {
      await sleep(ms);
      return { runs: ++runs };
    },
  ),
  implement(
    contract('test_execution', z.strictObject({ ms: z.int() }), { effect: 'world', category: 'execution' }),
    async ({ ms }, { signal }) => {
      await sleep(ms, undefined, { signal });
      return {};
    },
  ),
  implement(contract('test_bug', z.strictObject({ message: z.string() })), async ({ message }) => {
    throw new TypeError(message);
  }),
  implement(
    contract('test_bad_output', z.strictObject({}), { output: z.object({ count: z.int() }) }),
    async () => ({ count: 'three' }) as never,
  ),
  implement(contract('test_fail_once', z.looseObject({}), { effect: 'world', category: 'mutation' }), async () => {
    runs += 1;
    if (runs === 1) throw new Error('the first time it fails');
    return { runs };
  }),
  implement(contract('test_add_tool', named), async ({ name }) => {
    server?.catalog.add([implement(contract(name, z.strictObject({})), async () => ({ name }))]);
    return {};
  }),
  implement(contract('test_remove_tool', named), async ({ name }) => {
    server?.catalog.remove([name]);
    return {};
  }),
];

const onServer = (created: Server) => {
  server = created;
};

process.exitCode = await main({ tools: [...tools, ...taskTools], onServer });
process.exit();
