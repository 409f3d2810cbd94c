import { MCPTimeoutConfigSchema, ToolError } from '@automatosx/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCancellation } from '../cancellation.js';
import { callOf, cancelledBefore, failureOf, toolOf } from '../testing.js';
import type { Handler } from '../types.js';
import { timeout } from './wrapper.js';

const config = MCPTimeoutConfigSchema.parse({ toolTimeouts: { mutation: 100 }, toolOverrides: { note_find: 20 } });
const layer = timeout(() => config);

const never: Handler = () => new Promise(() => {});

/** Ends as soon as it is told to, with what it was told. */
const obedient: Handler = ({ context: { cancellation } }) =>
  new Promise((_resolve, reject) => {
    const { signal } = cancellation;
    signal.addEventListener('abort', () => reject(signal.reason));
  });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a call in time', () => {
  test('is answered with what the handler gave, and leaves neither timer nor listener', async () => {
    const call = callOf();
    const forget = vi.fn();
    vi.spyOn(call.context.cancellation, 'onCancel').mockReturnValue(forget);
    expect(await layer(call, async () => 'done')).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
    expect(forget).toHaveBeenCalledOnce();
  });

  test('fails with what the handler threw', async () => {
    const bug = new TypeError('x is not a function');
    await expect(layer(callOf(), () => Promise.reject(bug))).rejects.toBe(bug);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('fails so too where the handler throws before it waits for anything', async () => {
    const bug = new TypeError('x is not a function');
    const throwing: Handler = () => {
      throw bug;
    };
    await expect(layer(callOf(), throwing)).rejects.toBe(bug);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has a signal that is not aborted, then or later', async () => {
    const signals: AbortSignal[] = [];
    await layer(callOf(), async ({ context }) => signals.push(context.cancellation.signal));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('a call out of time', () => {
  test.each([
    ['ignores', never],
    ['heeds', obedient],
  ])('INV-MCP-TIMEOUT-001: is answered at its limit by a handler that %s its signal', async (_how, handler) => {
    let isAnswered = false;
    const answer = failureOf(() => layer(callOf(), handler)).finally(() => {
      isAnswered = true;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isAnswered).toBe(true);
    expect((await answer).code).toBe('TOOL_TIMEOUT');
  });

  test('INV-MCP-TIMEOUT-004: fails with TOOL_TIMEOUT and names the tool and its limit', async () => {
    const answer = failureOf(() => layer(callOf(), never));
    await vi.advanceTimersByTimeAsync(100);
    const { code, toolCode, message, context } = await answer;
    expect({ code, toolCode, message, context }).toEqual({
      code: 'TOOL_TIMEOUT',
      toolCode: undefined,
      message: 'note_write took longer than 100 ms',
      context: { timeoutMs: 100 },
    });
  });

  test('INV-MCP-TIMEOUT-003: its own limit holds, not that of the category', async () => {
    const answer = failureOf(() => layer(callOf({ tool: toolOf({ name: 'note_find' }) }), never));
    await vi.advanceTimersByTimeAsync(20);
    expect((await answer).message).toBe('note_find took longer than 20 ms');
  });

  test('stops the work: the handler hears why', async () => {
    const heard: unknown[] = [];
    const listening: Handler = ({ context: { cancellation } }) =>
      new Promise(() => cancellation.signal.addEventListener('abort', () => heard.push(cancellation.signal.reason)));
    const answer = failureOf(() => layer(callOf(), listening));
    await vi.advanceTimersByTimeAsync(100);
    expect(heard).toEqual([await answer]);
  });

  test.each([
    ['succeeds', () => Promise.resolve('late')],
    ['fails', () => Promise.reject(new Error('late'))],
  ])('is over, even if the handler %s later', async (_how, end) => {
    const late: Handler = () => new Promise((resolve) => setTimeout(() => resolve(end()), 500));
    const answer = failureOf(() => layer(callOf(), late));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await answer).code).toBe('TOOL_TIMEOUT');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a limit that was changed holds from the next call on', async () => {
    let ms = 100;
    const changing = timeout(() => MCPTimeoutConfigSchema.parse({ toolTimeouts: { mutation: ms } }));
    const first = failureOf(() => changing(callOf(), never));
    ms = 30;
    const second = failureOf(() => changing(callOf(), never));
    await vi.advanceTimersByTimeAsync(100);
    expect((await first).context).toEqual({ timeoutMs: 100 });
    expect((await second).context).toEqual({ timeoutMs: 30 });
  });
});

describe('a cancelled call', () => {
  test.each([
    ['ignores', never],
    ['heeds', obedient],
  ])('ends at once, by a handler that %s its signal, and leaves no timer', async (_how, handler) => {
    const cancellation = createCancellation();
    const answer = failureOf(() => layer(callOf({ cancellation }), handler));
    cancellation.cancel(undefined);
    expect(await answer).toMatchObject({ code: 'OPERATION_FAILED', toolCode: 'CANCELLED' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('never begins if it was cancelled before', async () => {
    const handler = vi.fn(never);
    const answer = failureOf(() => layer(callOf({ cancellation: cancelledBefore() }), handler));
    expect(await answer).toMatchObject({ toolCode: 'CANCELLED', message: 'note_write was cancelled' });
    expect(handler).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is told what the server says of it, where the server ended it', async () => {
    const cancellation = createCancellation();
    const answer = failureOf(() => layer(callOf({ cancellation }), never));
    const reason = new ToolError('SERVER_STOPPING', 'The server is stopping');
    cancellation.cancel(reason);
    expect(await answer).toBe(reason);
  });
});
