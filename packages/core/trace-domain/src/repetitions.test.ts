import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.js';
import type { TraceStep } from './call-record.js';
import { call, failure, step } from './test-records.js';

const nested = (toolName: string, input: unknown, attempt?: number): TraceStep => ({
  type: 'tool.result',
  at: 1010,
  status: 'success',
  durationMs: 1,
  payload: { toolName, input, ...(attempt && { attempt }) },
});

describe('retries', () => {
  const tries = (...results: readonly ('success' | 'failure')[]) =>
    results.map((status, index) =>
      step('fetch', { at: 1000 + 20 * index, status, payload: { attempt: index + 1, errorCode: 'RATE_LIMITED' } }),
    );

  test('are counted, and the failures before a success weigh little', () => {
    const { issues, metrics } = analyze(call({ steps: tries('failure', 'failure', 'success') }));
    expect(issues).toEqual([
      { type: 'error', message: 'fetch failed with RATE_LIMITED', severity: 'low', stepId: 'fetch' },
      { type: 'error', message: 'fetch failed with RATE_LIMITED', severity: 'low', stepId: 'fetch' },
      { type: 'retry', message: 'fetch was tried 3 times and succeeded at last', severity: 'low', stepId: 'fetch' },
    ]);
    expect(metrics).toMatchObject({ retryCount: 2, errorCount: 2 });
  });

  test('that did not help weigh more', () => {
    expect(analyze(call({ ...failure, steps: tries('failure', 'failure') })).issues.at(-1)).toMatchObject({
      type: 'retry',
      message: 'fetch was tried 2 times and did not succeed',
      severity: 'medium',
    });
  });

  test('are known from a last try alone, and from tries that are counted from 0', () => {
    expect(analyze(call({ steps: [step('a', { payload: { attempt: 3 } })] })).metrics.retryCount).toBe(2);
    const fromZero = [step('a', { payload: { attempt: 0 } }), step('a', { payload: { attempt: 1 } })];
    expect(analyze(call({ steps: fromZero })).metrics.retryCount).toBe(1);
  });

  test('are not the rounds of a loop', () => {
    expect(analyze(call({ steps: [step('a'), step('a'), step('a')] })).metrics.retryCount).toBe(0);
  });
});

describe('repeated calls', () => {
  test('are three or more with the same input, whatever the order of its fields', () => {
    const steps = [nested('x', { a: 1, b: [2] }), nested('x', { b: [2], a: 1 }), nested('x', { a: 1, b: [2] })];
    const { issues, metrics } = analyze(call({ steps }));
    expect(issues).toEqual([
      { type: 'repeated_call', message: 'x was called 3 times with the same input', severity: 'medium' },
    ]);
    expect(metrics.repeatedCalls).toBe(2);
  });

  test('are not two, other inputs, other tools, or retries', () => {
    const steps = [nested('x', 1), nested('x', 1), nested('x', 2), nested('y', 1), nested('x', 1, 2)];
    expect(analyze(call({ steps })).metrics.repeatedCalls).toBe(0);
  });

  test('are counted once where beginning and end of each were noted', () => {
    const both = (input: unknown): TraceStep[] => [
      { type: 'tool.invoke', at: 1000, payload: { toolName: 'x', input } },
      nested('x', input),
    ];
    expect(analyze(call({ steps: [...both(1), ...both(1)] })).metrics.repeatedCalls).toBe(0);
    expect(analyze(call({ steps: [...both(1), ...both(1), ...both(1)] })).metrics.repeatedCalls).toBe(2);
  });
});
