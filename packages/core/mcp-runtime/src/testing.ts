import { defineContract, ToolError } from '@automatosx/contracts';
import * as z from 'zod';
import { type Cancellation, createCancellation } from './cancellation.js';
import { NO_CLIENT } from './client.js';
import type { ArtifactStore, Claim, IdempotencyKey, IdempotencyStore } from './ports.js';
import type { CallContext, Tool, ToolCall, ToolContext } from './types.js';

/** What the tests of the layers share: a tool, a call of it, and stores that live in memory. */

type Declaration = Partial<Parameters<typeof defineContract>[0]>;

/** A tool that takes and answers anything, unless the test says otherwise. */
export const toolOf = (
  declaration: Declaration = {},
  run: (input: never, context: ToolContext) => Promise<unknown> = async () => ({ done: true }),
): Tool => ({
  contract: defineContract({
    name: 'note_write',
    title: 'Write a note',
    description: 'Writes a note.',
    category: 'mutation',
    effect: 'store',
    input: z.unknown(),
    output: z.unknown(),
    errors: [],
    ...declaration,
  }),
  run,
});

type CallOptions = Partial<CallContext> & { readonly tool?: Tool; readonly input?: unknown };

/** One that is cancelled from the beginning. */
export function cancelledBefore(): Cancellation {
  const cancellation = createCancellation();
  cancellation.cancel(undefined);
  return cancellation;
}

export function callOf({ tool = toolOf(), input = {}, ...known }: CallOptions = {}): ToolCall {
  const context: CallContext = {
    principal: 'ada',
    isLocal: true,
    workspace: '/work',
    correlationId: 'c-1',
    cancellation: createCancellation(),
    progress: () => {},
    client: NO_CLIENT,
    log: () => {},
    ...known,
  };
  const facts = { steps: [], warnings: [] };
  return { tool, input, context, startedAt: performance.now(), facts };
}

/** The ToolError with which the work fails, at once or later. */
export async function failureOf(work: () => unknown): Promise<ToolError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

export function memoryIdempotencyStore() {
  const rows = new Map<string, { readonly hash: string; readonly answer?: string }>();
  const idOf = ({ principal, tool, key }: IdempotencyKey) => JSON.stringify([principal, tool, key]);
  const claim = (id: string, hash: string): Claim => {
    const row = rows.get(id);
    if (row && row.hash !== hash) return { state: 'mismatch' };
    if (row?.answer !== undefined) return { state: 'completed', answer: row.answer };
    if (row) return { state: 'running' };
    rows.set(id, { hash });
    return { state: 'claimed' };
  };
  const store: IdempotencyStore = {
    claim: async (key, hash) => claim(idOf(key), hash),
    complete: async (key, answer) => {
      rows.set(idOf(key), { hash: rows.get(idOf(key))?.hash ?? '', answer });
    },
    release: async (key) => {
      rows.delete(idOf(key));
    },
    removeExpired: async () => false,
  };
  return { ...store, size: () => rows.size };
}

export function memoryArtifacts() {
  const kept: { readonly principal: string; readonly body: string }[] = [];
  const store: ArtifactStore = {
    add: async (principal, body) => `a-${kept.push({ principal, body })}`,
    read: async () => undefined,
    removeExpired: async () => false,
  };
  return { ...store, kept };
}
