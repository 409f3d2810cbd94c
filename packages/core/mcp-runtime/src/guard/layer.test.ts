import { ToolError } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import type { GateResult, GuardContext, GuardGate, GuardPolicy } from '@automatosx/contracts/guard';
import { describe, expect, test, vi } from 'vitest';
import { createCache } from '../cache/index.js';
import { callOf, failureOf, toolOf } from '../testing.js';
import type { Handler, ToolCall } from '../types.js';
import { guard } from './layer.js';

const config = ConfigSchema.parse({ timeouts: { toolOverrides: { note_find: 50 } } });
const stats = createCache({ config: () => config.cache, now: () => 1 }).stats();

const gate = (check: GuardGate['check'], id = 'a-gate'): GuardGate => ({ id, name: 'A gate', description: '', check });

const policyOf = (...gates: GuardGate[]): GuardPolicy => ({ id: 'a-policy', name: 'A policy', description: '', gates });

const guarding = (...gates: GuardGate[]) =>
  guard({ policy: policyOf(...gates), config: () => config, cacheStats: () => stats });

/** Says what it is told to, before the call and after it. */
const saying = (before: GateResult, after: GateResult = { passed: true }) =>
  gate(({ durationMs }) => (durationMs === undefined ? before : after));

const done: Handler = async () => 'done';

describe('before a call', () => {
  test('a gate knows the tool, its limits, the size of the request and the state of the cache', async () => {
    const seen: GuardContext[] = [];
    const layer = guarding(gate((context) => ({ passed: seen.push(context) > 0 })));
    await layer(callOf({ tool: toolOf({ name: 'note_find', category: 'query' }), requestBytes: 123 }), done);
    expect(seen[0]).toEqual({
      toolName: 'note_find',
      category: 'query',
      timeoutMs: 50,
      limits: config.limits.request,
      requestSizeBytes: 123,
      cacheStats: stats,
    });
  });

  test('a gate that passes changes nothing', async () => {
    const call = callOf();
    expect(await guarding(saying({ passed: true }))(call, done)).toBe('done');
    expect(call.facts).toEqual({ steps: [], warnings: [] });
  });

  test('a gate that does not pass stops the call, with its code and the reason', async () => {
    const handler = vi.fn(done);
    const layer = guarding(
      saying({ passed: false, code: 'MEMORY_PRESSURE', reason: 'No room', recommendation: 'Wait' }),
    );
    const { code, message, context, retryAfterMs } = await failureOf(() => layer(callOf(), handler));
    expect({ code, message, context, retryAfterMs }).toEqual({
      code: 'MEMORY_PRESSURE',
      message: 'No room. Wait',
      context: { policy: 'a-policy', gate: 'a-gate', recommendation: 'Wait' },
      retryAfterMs: 1_000,
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([
    [{ passed: false }, 'A gate does not allow it'],
    [{ passed: false, reason: 'No room' }, 'No room'],
  ])('a gate that says nothing more than %j denies permission', async (result, message) => {
    expect(await failureOf(() => guarding(saying(result))(callOf(), done))).toMatchObject({
      code: 'PERMISSION_DENIED',
      message,
    });
  });

  test('the first gate that does not pass decides; the others are not asked', async () => {
    const last = vi.fn(() => ({ passed: true }));
    const layer = guarding(
      saying({ passed: true, warning: 'careful' }),
      gate(() => ({ passed: false, reason: 'second' })),
      gate(last),
    );
    expect((await failureOf(() => layer(callOf(), done))).message).toBe('second');
    expect(last).not.toHaveBeenCalled();
  });

  test('warnings are kept with the call, once each', async () => {
    const call = callOf();
    const warn = (warning: string) => gate(() => ({ passed: true, warning }));
    expect(await guarding(warn('one'), warn('two'))(call, done)).toBe('done');
    expect(call.facts.warnings).toEqual(['one', 'two']);
  });
});

describe('after a call', () => {
  const nearTimeout = saying({ passed: true }, { passed: true, audit: { event: 'near_timeout' } });

  test('a gate knows how long it took', async () => {
    const durations: (number | undefined)[] = [];
    const layer = guarding(gate(({ durationMs }) => ({ passed: durations.push(durationMs) > 0 })));
    await layer(callOf(), () => new Promise((resolve) => setTimeout(resolve, 30)));
    expect(durations).toEqual([undefined, expect.any(Number)]);
    expect(durations[1]).toBeGreaterThanOrEqual(29);
  });

  test('an audit is kept with the call: the limit that it came near to', async () => {
    const call = callOf({ tool: toolOf({ name: 'note_find' }) });
    await guarding(nearTimeout)(call, done);
    expect(call.facts.nearTimeoutMs).toBe(50);
  });

  test('an audit is kept of a call that failed, too', async () => {
    const call = callOf();
    const late = new ToolError('TOOL_TIMEOUT', 'late');
    expect(await failureOf(() => guarding(nearTimeout)(call, () => Promise.reject(late)))).toBe(late);
    expect(call.facts.nearTimeoutMs).toBe(30_000);
  });

  const broken = gate(({ durationMs }) => {
    if (durationMs !== undefined) throw new TypeError('x is not a function');
    return { passed: true };
  });

  test.each([
    ['does not pass', saying({ passed: true }, { passed: false, reason: 'too slow' }), 'a-gate: too slow'],
    ['throws', broken, 'a-gate could not be checked: TypeError: x is not a function'],
  ])('a gate that %s masks neither the answer nor the error, and is noted', async (_how, bad, warning) => {
    const run = async (handler: Handler, call: ToolCall) => guarding(bad, nearTimeout)(call, handler);
    const [good, failed] = [callOf(), callOf()];
    expect(await run(done, good)).toBe('done');
    const own = new ToolError('NOT_FOUND', 'No note');
    expect(await failureOf(() => run(() => Promise.reject(own), failed))).toBe(own);
    for (const { facts } of [good, failed]) {
      expect(facts).toMatchObject({ warnings: [warning], nearTimeoutMs: 30_000 });
    }
  });
});
