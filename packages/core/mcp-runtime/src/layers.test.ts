import { ToolError } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createCache } from './cache/index.js';
import { type LayerOptions, layers } from './layers.js';
import { compose, runTool } from './pipeline.js';
import { callOf, cancelledBefore, deepFreeze, memoryArtifacts, memoryIdempotencyStore, toolOf } from './testing.js';
import type { Middleware, Tool, ToolAnswer } from './types.js';

/** All layers as the server puts them together, with a small store of each kind and a count of what each was asked. */
function setup(part: object = {}, more: Partial<LayerOptions> = {}) {
  const config = ConfigSchema.parse(part);
  const idempotency = memoryIdempotencyStore();
  const claim = vi.spyOn(idempotency, 'claim');
  const stamp = vi.fn(async () => 'stamp');
  const check = vi.fn(() => ({ passed: true }));
  const output = vi.fn<Middleware>((call, next) => next(call));
  const log = vi.fn();
  const handle = compose(
    layers({
      config: () => config,
      cache: createCache({ config: () => config.cache, now: () => 1_000 }),
      changes: { stamp },
      idempotency,
      artifacts: memoryArtifacts(),
      ready: async () => {},
      policy: { id: 'p', name: 'p', description: 'p', gates: [{ id: 'g', name: 'g', description: 'g', check }] },
      output,
      redact: (value) => value,
      log,
      ...more,
    }),
    runTool,
  );
  const ask = async (options: Parameters<typeof callOf>[0]) => (await handle(callOf(options))) as ToolAnswer;
  const codeOf = async (options: Parameters<typeof callOf>[0]) => {
    const { envelope } = await ask(options);
    return envelope.success ? 'success' : (envelope.error.context?.toolCode ?? envelope.error.code);
  };
  return { ask, codeOf, claim, stamp, check, output, log, idempotency };
}

const input = z.strictObject({ text: z.string().default('none'), list: z.array(z.int()).optional() });

/** A tool that counts its runs. */
function counted(declaration: Parameters<typeof toolOf>[0] = {}): { tool: Tool; runs: () => number } {
  const run = vi.fn(async () => ({ run: run.mock.calls.length }));
  return { tool: toolOf({ input, ...declaration }, run), runs: () => run.mock.calls.length };
}

const tooMany = { list: Array.from({ length: 101 }, () => 1) };
const oneCall = { rateLimits: { mutation: { perSecond: 0.001, burst: 1 }, query: { perSecond: 0.001, burst: 1 } } };

describe('one call through all layers', () => {
  test('INV-MCP-001: the tool gets what its schema made of the input, and the output layer is around it', async () => {
    const seen: unknown[] = [];
    const tool = toolOf({ input }, async (given) => ({ got: seen.push(given) }));
    const { ask, output, claim, stamp, check } = setup();
    const { envelope, text } = await ask({ tool, input: deepFreeze({}) });
    expect(envelope).toMatchObject({ success: true, data: { got: 1 } });
    expect(JSON.parse(text)).toEqual(envelope);
    expect(seen).toEqual([{ text: 'none' }]);
    expect(output).toHaveBeenCalledOnce();
    expect(check).toHaveBeenCalledTimes(2);
    expect([claim.mock.calls.length, stamp.mock.calls.length]).toEqual([0, 0]);
  });

  test('INV-MCP-RESP-001: whatever goes wrong, the answer is an envelope', async () => {
    const { ask, log } = setup();
    const tool = toolOf({}, async () => {
      throw new TypeError('x is not a function');
    });
    const { envelope } = await ask({ tool });
    expect(envelope).toEqual({
      success: false,
      error: {
        code: 'INTERNAL_ERROR',
        message: 'The server failed in a way it did not foresee; its log says more',
        retryable: false,
      },
      metadata: { durationMs: expect.any(Number) },
    });
    expect(log).toHaveBeenCalledOnce();
  });

  test('INV-MCP-003: a tool that fails as it declares is told by both its codes', async () => {
    const tool = toolOf({ errors: ['VERSION_CONFLICT'] }, async () => {
      throw new ToolError('VERSION_CONFLICT', 'It moved');
    });
    const { envelope } = await setup().ask({ tool });
    expect(envelope).toMatchObject({ error: { code: 'CONFLICT', context: { toolCode: 'VERSION_CONFLICT' } } });
  });
});

describe('the order of the layers', () => {
  test('limits before rate: what is too large costs no token', async () => {
    const { tool, runs } = counted();
    const { codeOf } = setup(oneCall);
    expect(await codeOf({ tool, input: tooMany })).toBe('ARRAY_TOO_LARGE');
    expect(await codeOf({ tool })).toBe('success');
    expect(await codeOf({ tool })).toBe('RATE_LIMITED');
    expect(runs()).toBe(1);
  });

  test('limits before validation: what is too large is not parsed', async () => {
    const parse = vi.fn(() => true);
    const { tool } = counted({ input: z.custom(parse) });
    await setup().codeOf({ tool, input: tooMany });
    expect(parse).not.toHaveBeenCalled();
  });

  test('rate before validation: a wrong input costs a token', async () => {
    const { tool } = counted();
    const { codeOf } = setup(oneCall);
    expect(await codeOf({ tool, input: { text: 5 } })).toBe('INVALID_INPUT');
    expect(await codeOf({ tool, input: { text: 5 } })).toBe('RATE_LIMITED');
  });

  test('validation before the guard and the claim: a wrong input reaches neither', async () => {
    const { tool } = counted();
    const { codeOf, claim, check } = setup();
    expect(await codeOf({ tool, input: { text: 5 }, idempotencyKey: 'k' })).toBe('INVALID_INPUT');
    expect([claim.mock.calls.length, check.mock.calls.length]).toEqual([0, 0]);
  });

  test('the guard before the claim: a refused call claims no key', async () => {
    const { tool, runs } = counted();
    const { codeOf, claim, check } = setup();
    check.mockReturnValueOnce({ passed: false });
    expect(await codeOf({ tool, idempotencyKey: 'k' })).toBe('PERMISSION_DENIED');
    expect([claim.mock.calls.length, runs()]).toEqual([0, 0]);
  });

  test('a replayed call is guarded and counted, and does not run', async () => {
    const { tool, runs } = counted();
    const { codeOf, check } = setup({ rateLimits: { mutation: { perSecond: 0.001, burst: 2 } } });
    const call = { tool, idempotencyKey: 'k' };
    expect([await codeOf(call), await codeOf(call), await codeOf(call)]).toEqual([
      'success',
      'success',
      'RATE_LIMITED',
    ]);
    expect([check.mock.calls.length, runs()]).toEqual([4, 1]);
  });

  test('the defaults are filled in before the claim: to leave one out is to send the same', async () => {
    const { tool, runs } = counted();
    const { codeOf } = setup();
    await codeOf({ tool, idempotencyKey: 'k' });
    expect(await codeOf({ tool, idempotencyKey: 'k', input: { text: 'none' } })).toBe('success');
    expect(await codeOf({ tool, idempotencyKey: 'k', input: { text: 'other' } })).toBe('IDEMPOTENCY_MISMATCH');
    expect(runs()).toBe(1);
  });

  test('a cached answer was checked when it was made, and is not checked again', async () => {
    const { tool, runs } = counted({ effect: 'read', category: 'query', cacheUntil: ['notes'] });
    const { ask, output } = setup();
    expect((await ask({ tool })).envelope.metadata).toMatchObject({ cached: false });
    expect((await ask({ tool })).envelope.metadata).toMatchObject({ cached: true });
    expect([output.mock.calls.length, runs()]).toEqual([1, 1]);
  });

  test('a call that is not kept does not ask what changed', async () => {
    const { tool } = counted({ effect: 'read' });
    const { codeOf, stamp } = setup();
    await codeOf({ tool });
    expect(stamp).not.toHaveBeenCalled();
  });
});

describe('time', () => {
  const quick = { timeouts: { toolTimeouts: { mutation: 40 } } };

  test('INV-MCP-TIMEOUT-001: a call that waits for the first with its key is answered at its limit, too', async () => {
    const tool = toolOf({}, () => new Promise(() => {}));
    const { ask } = setup(quick);
    const answers = await Promise.all([ask({ tool, idempotencyKey: 'k' }), ask({ tool, idempotencyKey: 'k' })]);
    for (const { envelope } of answers) {
      expect(envelope).toMatchObject({ error: { code: 'TOOL_TIMEOUT', retryable: true } });
      expect(envelope.metadata.durationMs).toBeLessThan(2_000);
    }
  });

  test('INV-MCP-RESP-006: a second try after a timeout does not act beside the first, and gets its answer', async () => {
    const ends: (() => void)[] = [];
    const tool = toolOf({}, () => new Promise((resolve) => ends.push(() => resolve('first'))));
    const { ask, codeOf } = setup(quick);
    const call = { tool, idempotencyKey: 'k' };
    expect(await codeOf(call)).toBe('TOOL_TIMEOUT');
    expect(await codeOf(call)).toBe('TOOL_TIMEOUT');
    for (const end of ends) end();
    expect((await ask(call)).envelope).toMatchObject({ success: true, data: 'first' });
    expect(ends).toHaveLength(1);
  });

  test('a call that ran out of time is held against the policy once more', async () => {
    const tool = toolOf({}, () => new Promise(() => {}));
    const { codeOf, check } = setup(quick);
    await codeOf({ tool });
    expect(check).toHaveBeenLastCalledWith(expect.objectContaining({ timeoutMs: 40, durationMs: expect.any(Number) }));
  });

  test('a call that was cancelled before it began does not run and claims no key', async () => {
    const { tool, runs } = counted();
    const { codeOf, claim } = setup();
    expect(await codeOf({ tool, idempotencyKey: 'k', cancellation: cancelledBefore() })).toBe('CANCELLED');
    expect([claim.mock.calls.length, runs()]).toEqual([0, 0]);
  });
});
