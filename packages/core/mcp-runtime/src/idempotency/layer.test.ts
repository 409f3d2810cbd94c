import { ToolError } from '@automatosx/contracts';
import { describe, expect, test, vi } from 'vitest';
import { createCancellation } from '../cancellation.js';
import type { IdempotencyStore } from '../ports.js';
import { callOf, failureOf, memoryIdempotencyStore, toolOf } from '../testing.js';
import type { ToolCall } from '../types.js';
import { idempotency } from './layer.js';

const keyed = (input: unknown = { text: 'a' }, more: Parameters<typeof callOf>[0] = {}): ToolCall =>
  callOf({ idempotencyKey: 'k-1', input, ...more });

/** A handler that answers 1, 2, 3…: the number of its runs. */
const counting = () => {
  let runs = 0;
  return vi.fn(async () => ({ run: ++runs }));
};

/** A handler that ends when the test says so. */
function held() {
  let end: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | undefined;
  const run = vi.fn(() => new Promise((resolve, reject) => (end = { resolve, reject })));
  return {
    run,
    resolve: (value: unknown) => end?.resolve(value),
    reject: (error: unknown) => end?.reject(error),
  };
}

describe('a call with a key', () => {
  test('that is sent again gives the first answer and does not run', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const handler = counting();
    const again = keyed();
    expect(await layer(keyed(), handler)).toEqual({ run: 1 });
    expect(await layer(again, handler)).toEqual({ run: 1 });
    expect(handler).toHaveBeenCalledOnce();
    expect(again.facts.replayed).toBe(true);
  });

  test('is not marked as replayed the first time', async () => {
    const call = keyed();
    await idempotency(memoryIdempotencyStore())(call, counting());
    expect(call.facts.replayed).toBeUndefined();
  });

  test('is the same call whatever the order of its fields', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const handler = counting();
    await layer(keyed({ a: 1, b: 2 }), handler);
    expect(await layer(keyed({ b: 2, a: 1 }), handler)).toEqual({ run: 1 });
  });

  test('that failed runs again: failures are never replayed', async () => {
    const store = memoryIdempotencyStore();
    const layer = idempotency(store);
    const failing = async () => {
      throw new ToolError('NOT_FOUND', 'No note');
    };
    expect((await failureOf(() => layer(keyed(), failing))).code).toBe('NOT_FOUND');
    expect(store.size()).toBe(0);
    expect(await layer(keyed(), counting())).toEqual({ run: 1 });
  });

  test('and other arguments is a conflict, and does not run', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const handler = counting();
    await layer(keyed({ text: 'a' }), handler);
    const { code, toolCode, message } = await failureOf(() => layer(keyed({ text: 'b' }), handler));
    expect({ code, toolCode, message }).toEqual({
      code: 'CONFLICT',
      toolCode: 'IDEMPOTENCY_MISMATCH',
      message: 'The idempotency key was used for note_write with other arguments',
    });
    expect(handler).toHaveBeenCalledOnce();
  });

  test.each<[string, Parameters<typeof callOf>[0]]>([
    ['principal', { principal: 'bob' }],
    ['tool', { tool: toolOf({ name: 'note_drop' }) }],
    ['key', { idempotencyKey: 'k-2' }],
  ])('and another %s is another call', async (_what, other) => {
    const layer = idempotency(memoryIdempotencyStore());
    const handler = counting();
    await layer(keyed(), handler);
    expect(await layer(keyed({ text: 'b' }, other), handler)).toEqual({ run: 2 });
  });

  test('keeps every key of the answer', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const handler = async () => JSON.parse('{"__proto__":{"a":1}}');
    await layer(keyed(), handler);
    expect(JSON.stringify(await layer(keyed(), handler))).toBe('{"__proto__":{"a":1}}');
  });
});

describe('the key is ignored', () => {
  test.each([
    ['of a read', keyed({}, { tool: toolOf({ effect: 'read' }) })],
    ['where there is none', callOf()],
  ])('%s', async (_what, call) => {
    const store = memoryIdempotencyStore();
    const handler = counting();
    const layer = idempotency(store);
    await layer(call, handler);
    expect(await layer(call, handler)).toEqual({ run: 2 });
    expect(store.size()).toBe(0);
  });
});

describe('a second call while the first runs', () => {
  test('waits for it and gives its answer', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const first = held();
    const second = counting();
    const answers = Promise.all([layer(keyed(), first.run), layer(keyed(), second)]);
    await vi.waitFor(() => expect(first.run).toHaveBeenCalledOnce());
    first.resolve('first');
    expect(await answers).toEqual(['first', 'first']);
    expect(second).not.toHaveBeenCalled();
  });

  test('runs by itself if the first fails', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const first = held();
    const failed = failureOf(() => layer(keyed(), first.run));
    const second = layer(keyed(), counting());
    await vi.waitFor(() => expect(first.run).toHaveBeenCalledOnce());
    first.reject(new ToolError('NOT_FOUND', 'No note'));
    expect((await failed).code).toBe('NOT_FOUND');
    expect(await second).toEqual({ run: 1 });
  });

  test('is refused at once if it has other arguments', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    void layer(keyed({ text: 'a' }), held().run);
    expect((await failureOf(() => layer(keyed({ text: 'b' }), counting()))).toolCode).toBe('IDEMPOTENCY_MISMATCH');
  });

  test('ends when it is cancelled, and takes nothing from the first', async () => {
    const layer = idempotency(memoryIdempotencyStore());
    const first = held();
    const cancellation = createCancellation();
    const answer = layer(keyed(), first.run);
    const cancelled = failureOf(() => layer(keyed({ text: 'a' }, { cancellation }), counting()));
    cancellation.cancel(undefined);
    expect(await cancelled).toMatchObject({ code: 'OPERATION_FAILED', toolCode: 'CANCELLED' });
    first.resolve('first');
    expect(await answer).toBe('first');
    expect(await layer(keyed(), counting())).toBe('first');
  });
});

describe('a store that fails', () => {
  const down = new ToolError('STORAGE_UNAVAILABLE', 'The disk is full');
  const failing = (part: Partial<IdempotencyStore>) => ({ ...memoryIdempotencyStore(), ...part });
  const fail = async () => {
    throw down;
  };

  test('at the claim: nothing runs', async () => {
    const handler = counting();
    expect(await failureOf(() => idempotency(failing({ claim: fail }))(keyed(), handler))).toBe(down);
    expect(handler).not.toHaveBeenCalled();
  });

  test('at the end: the claim is given back, and the caller hears of it', async () => {
    const store = failing({ complete: fail });
    expect(await failureOf(() => idempotency(store)(keyed(), counting()))).toBe(down);
    expect(store.size()).toBe(0);
  });

  test('to give the claim back: the caller hears why the call failed', async () => {
    const own = new ToolError('NOT_FOUND', 'No note');
    const layer = idempotency(failing({ release: fail }));
    expect(await failureOf(() => layer(keyed(), () => Promise.reject(own)))).toBe(own);
  });

  test('once to give the claim back, with the rest of its turn: it is given back in the next', async () => {
    const store = memoryIdempotencyStore();
    const release = vi.fn(store.release).mockRejectedValueOnce(down);
    const layer = idempotency({ ...store, release });
    await failureOf(() => layer(keyed(), () => Promise.reject(down)));
    expect(store.size()).toBe(0);
  });
});
