import type { ToolCategory } from '@automatosx/contracts';
import { type Config, ConfigSchema } from '@automatosx/contracts/config';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { callOf, failureOf, toolOf } from '../testing.js';
import type { CallContext } from '../types.js';
import { rateLimits } from './layer.js';

type Rates = Config['rateLimits'];

/** The layer with a clock that the test turns. `ask` says for how long the caller must wait: 0 if the call went on. */
function setup(rates: Rates = {}) {
  const state = { now: 1_000, rates: ConfigSchema.parse({ rateLimits: rates }).rateLimits };
  const layer = rateLimits(
    () => state.rates,
    () => state.now,
  );
  const ask = (category: ToolCategory, context: Partial<CallContext> = { isLocal: false }): number => {
    try {
      layer(callOf({ tool: toolOf({ category }), ...context }), async () => 'done');
      return 0;
    } catch (error) {
      return (error as { retryAfterMs: number }).retryAfterMs;
    }
  };
  /** How many calls go on before one is refused. */
  const burst = (category: ToolCategory, context?: Partial<CallContext>): number => {
    let count = 0;
    while (count < 2_000 && ask(category, context) === 0) count++;
    return count;
  };
  return { state, layer, ask, burst };
}

const bob = { isLocal: false, principal: 'bob' };

describe('where nothing is configured', () => {
  test('a local user is unlimited', () => {
    const { burst } = setup();
    for (const category of ['query', 'mutation', 'scan', 'execution'] as const) {
      expect(burst(category, { isLocal: true })).toBe(2_000);
    }
  });

  test.each([
    ['query', 500, 10],
    ['mutation', 200, 20],
    ['scan', 10, 1_000],
    ['execution', 20, 500],
  ] as const)(
    'of a remote principal, %s calls have a burst of %i and then one every %i ms',
    (category, size, everyMs) => {
      const { burst, ask, state } = setup();
      expect(burst(category)).toBe(size);
      expect(ask(category)).toBe(everyMs);
      state.now += everyMs;
      expect(ask(category)).toBe(0);
      expect(ask(category)).toBe(everyMs);
    },
  );
});

describe('a bucket', () => {
  test('belongs to a principal', () => {
    const { burst } = setup();
    expect([burst('scan'), burst('scan', bob), burst('scan')]).toEqual([10, 10, 0]);
  });

  test('belongs to a category', () => {
    const { burst } = setup();
    expect([burst('scan'), burst('execution'), burst('scan')]).toEqual([10, 20, 0]);
  });

  test('is shared by all tools of the category', () => {
    const { layer, burst } = setup();
    burst('scan');
    const other = toolOf({ name: 'other_scan', category: 'scan' });
    expect(() => layer(callOf({ tool: other, isLocal: false }), async () => 0)).toThrow('other_scan may be called');
  });

  test('fills with time, and never beyond its burst', () => {
    const { burst, state } = setup();
    burst('scan');
    state.now += 3_500;
    expect(burst('scan')).toBe(3);
    state.now += 500;
    expect(burst('scan')).toBe(1);
    state.now += 3_600_000;
    expect(burst('scan')).toBe(10);
  });

  test('loses nothing by calls that are refused', () => {
    const { burst, ask, state } = setup();
    burst('scan');
    for (let tenth = 0; tenth < 9; tenth++) {
      state.now += 100;
      expect(ask('scan')).toBeGreaterThan(0);
    }
    state.now += 100;
    expect(ask('scan')).toBe(0);
  });

  test('of those beyond ten thousand the one used longest ago is forgotten, and no other', () => {
    const { ask, burst } = setup();
    burst('scan', bob);
    burst('scan', { isLocal: false, principal: 'carol' });
    ask('scan', bob);
    for (let index = 0; index < 9_999; index++) ask('query', { isLocal: false, principal: `p${index}` });
    expect(burst('scan', bob)).toBe(0);
    expect(burst('scan', { isLocal: false, principal: 'carol' })).toBe(10);
  });
});

describe('a refusal', () => {
  test('says RATE_LIMITED, of what, and when to come again', async () => {
    const { layer } = setup({ mutation: { perSecond: 4, burst: 1 } });
    const handler = vi.fn(async () => 'done');
    const call = callOf({ isLocal: false });
    await layer(call, handler);
    const { code, message, retryAfterMs, context } = await failureOf(() => layer(call, handler));
    expect({ code, message, retryAfterMs, context }).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many mutation calls; note_write may be called again in 250 ms',
      retryAfterMs: 250,
      context: { category: 'mutation', perSecond: 4, burst: 1 },
    });
    expect(handler).toHaveBeenCalledOnce();
  });

  test('who comes again when told to is let through, at any rate and time', () => {
    const rate = fc.record({ perSecond: fc.double({ min: 0.01, max: 1_000, noNaN: true }), burst: fc.nat(5) });
    const pauses = fc.array(fc.double({ min: 0, max: 2_000, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(rate, pauses, ({ perSecond, burst }, waits) => {
        const { ask, state } = setup({ scan: { perSecond, burst: burst + 1 } });
        for (const wait of waits) {
          state.now += wait;
          const retryAfterMs = ask('scan');
          if (retryAfterMs === 0) continue;
          expect(Number.isInteger(retryAfterMs)).toBe(true);
          state.now += retryAfterMs;
          expect(ask('scan')).toBe(0);
        }
      }),
    );
  });

  test('never more than burst plus rate times time go on', () => {
    const pauses = fc.array(fc.nat(700), { maxLength: 100 });
    fc.assert(
      fc.property(pauses, (waits) => {
        const { ask, state } = setup({ scan: { perSecond: 5, burst: 3 } });
        let passed = 0;
        for (const wait of waits) {
          state.now += wait;
          if (ask('scan') === 0) passed++;
          expect(passed).toBeLessThanOrEqual(3 + ((state.now - 1_000) / 1_000) * 5 + 1e-3);
        }
      }),
    );
  });
});

describe('a configured rate', () => {
  test('holds for a local user too, in that category only', () => {
    const { burst } = setup({ query: { perSecond: 1, burst: 3 } });
    expect(burst('query', { isLocal: true })).toBe(3);
    expect(burst('mutation', { isLocal: true })).toBe(2_000);
  });

  test('goes before that of a remote principal', () => {
    const { burst } = setup({ scan: { perSecond: 1, burst: 30 } });
    expect([burst('scan'), burst('execution')]).toEqual([30, 20]);
  });

  test('holds from the next call on after a change', () => {
    const { burst, ask, state } = setup({ query: { perSecond: 1, burst: 100 } });
    expect(ask('query')).toBe(0);
    state.rates = { query: { perSecond: 2, burst: 5 } };
    expect(burst('query')).toBe(5);
    expect(ask('query')).toBe(500);
    state.rates = {};
    expect(ask('query', { isLocal: true })).toBe(0);
  });
});
