import { setImmediate } from 'node:timers/promises';
import { defineContract, MCPCacheConfigSchema, ToolError } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createCancellation } from '../cancellation.js';
import { NO_CLIENT } from '../client.js';
import { compose, runTool } from '../pipeline.js';
import type { ChangeSource } from '../ports.js';
import { type CallContext, implement, type Tool, type ToolCall } from '../types.js';
import { createCache } from './index.js';
import { cacheLayer } from './layer.js';

/** A change source that counts the changes of every topic. */
function countedChanges() {
  const counts = new Map<string, number>();
  const countOf = (topic: string) => counts.get(topic) ?? 0;
  const source: ChangeSource = { stamp: async (topics) => topics.map(countOf).join('.') };
  return { ...source, change: (topic: string) => counts.set(topic, countOf(topic) + 1) };
}

const readTool = (name: string, run: () => Promise<unknown>, cacheUntil?: readonly string[]): Tool =>
  implement(
    defineContract({
      name,
      title: 'Read notes',
      description: 'Reads notes.',
      category: 'query',
      effect: 'read',
      input: z.unknown(),
      output: z.unknown(),
      errors: [],
      ...(cacheUntil && { cacheUntil }),
    }),
    run,
  );

type CallOptions = Partial<Pick<CallContext, 'principal' | 'workspace'>> & { input?: unknown };

function callOf(tool: Tool, { input = { id: 1, page: 2 }, ...origin }: CallOptions = {}): ToolCall {
  const cancellation = createCancellation();
  const context = {
    principal: 'ada',
    isLocal: true,
    workspace: '/work',
    correlationId: 'c-1',
    progress() {},
    client: NO_CLIENT,
    log() {},
    cancellation,
  };
  return { tool, input, startedAt: 0, context: { ...context, ...origin }, facts: { steps: [], warnings: [] } };
}

/** The cache layer alone. `ask` says what was answered, and whether the facts call it cached. */
function setup() {
  const config = MCPCacheConfigSchema.parse({});
  const cache = createCache({ config: () => config, now: () => 1_000 });
  const changes = countedChanges();
  const handle = compose([cacheLayer({ cache, changes })], runTool);
  const ask = async (tool: Tool, options?: CallOptions) => {
    const call = callOf(tool, options);
    return { answer: await handle(call), cached: call.facts.cached };
  };
  return { ask, cache, changes };
}

/** Answers 1, 2, 3…: the number of its runs. */
function counter() {
  let runs = 0;
  return async () => ++runs;
}

test('a tool without cacheUntil is never cached', async () => {
  const { ask, cache } = setup();
  const tool = readTool('notes_read', counter());
  expect(await ask(tool)).toEqual({ answer: 1, cached: undefined });
  expect(await ask(tool)).toEqual({ answer: 2, cached: undefined });
  expect(cache.stats()).toMatchObject({ entryCount: 0, missCount: 0 });
});

describe('a tool with cacheUntil', () => {
  test('runs once, and the second call is answered by the cache', async () => {
    const { ask } = setup();
    const tool = readTool('notes_read', counter(), ['notes']);
    expect(await ask(tool)).toEqual({ answer: 1, cached: undefined });
    expect(await ask(tool)).toEqual({ answer: 1, cached: true });
  });

  test('an answer of undefined is kept like any other', async () => {
    const { ask } = setup();
    const tool = readTool('notes_read', async () => undefined, ['notes']);
    await ask(tool);
    expect(await ask(tool)).toEqual({ answer: undefined, cached: true });
  });

  test('the order of the fields of the input does not matter', async () => {
    const { ask } = setup();
    const tool = readTool('notes_read', counter(), ['notes']);
    await ask(tool, { input: { id: 1, page: 2 } });
    expect(await ask(tool, { input: { page: 2, id: 1 } })).toEqual({ answer: 1, cached: true });
  });

  test.each<[string, CallOptions]>([
    ['principal', { principal: 'bob' }],
    ['workspace', { workspace: '/elsewhere' }],
    ['principal that is called like the workspace', { principal: '/work', workspace: 'ada' }],
    ['input', { input: { id: 2, page: 2 } }],
    ['type of input', { input: { id: '1', page: 2 } }],
  ])('another %s is a miss, and takes nothing from the first', async (_what, other) => {
    const { ask } = setup();
    const tool = readTool('notes_read', counter(), ['notes']);
    await ask(tool);
    expect(await ask(tool, other)).toEqual({ answer: 2, cached: undefined });
    expect(await ask(tool)).toEqual({ answer: 1, cached: true });
    expect(await ask(tool, other)).toEqual({ answer: 2, cached: true });
  });

  test('another tool is a miss', async () => {
    const { ask } = setup();
    const run = counter();
    await ask(readTool('notes_read', run, ['notes']));
    expect(await ask(readTool('notes_count', run, ['notes']))).toEqual({ answer: 2, cached: undefined });
  });
});

describe('a change', () => {
  test.each(['notes', 'people'])('of %s, one of its topics, is a miss from the next call on', async (topic) => {
    const { ask, changes } = setup();
    const tool = readTool('notes_read', counter(), ['notes', 'people']);
    await ask(tool);
    changes.change(topic);
    expect(await ask(tool)).toEqual({ answer: 2, cached: undefined });
    expect(await ask(tool)).toEqual({ answer: 2, cached: true });
  });

  test('of another topic leaves the answer where it is', async () => {
    const { ask, changes } = setup();
    const tool = readTool('notes_read', counter(), ['notes']);
    await ask(tool);
    changes.change('people');
    expect(await ask(tool)).toEqual({ answer: 1, cached: true });
  });

  test('while the handler runs: what it read before is not kept for calls after', async () => {
    const { ask, changes } = setup();
    let note = 'old';
    const write = async () => {
      await setImmediate();
      note = 'new';
      changes.change('notes');
    };
    const read = async () => {
      const found = note;
      if (found === 'old') await write();
      return found;
    };
    const tool = readTool('notes_read', read, ['notes']);
    expect(await ask(tool)).toEqual({ answer: 'old', cached: undefined });
    expect(await ask(tool)).toEqual({ answer: 'new', cached: undefined });
    expect(await ask(tool)).toEqual({ answer: 'new', cached: true });
  });
});

test('a failed call is not kept', async () => {
  const { ask, cache } = setup();
  const count = counter();
  const failsOnce = async () => {
    const run = await count();
    if (run === 1) throw new ToolError('NOT_FOUND', 'No note 1');
    return run;
  };
  const tool = readTool('notes_read', failsOnce, ['notes']);
  await expect(ask(tool)).rejects.toThrow('No note 1');
  expect(cache.stats().entryCount).toBe(0);
  expect(await ask(tool)).toEqual({ answer: 2, cached: undefined });
  expect(await ask(tool)).toEqual({ answer: 2, cached: true });
});
