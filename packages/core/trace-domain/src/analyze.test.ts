import { TraceAnalyzeOutputSchema } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.js';
import type { CallRecord, TraceStep } from './call-record.js';
import { call, failure, running, step } from './test-records.js';

describe('a plain call', () => {
  test('that succeeded is one step and has no issues', () => {
    expect(analyze(call())).toEqual({
      traceId: 't',
      summary: 'memory_list succeeded in 120 ms.',
      performance: {
        totalDuration: 120,
        averageStepDuration: 120,
        slowestStep: { stepId: 'memory_list', stepName: 'memory_list', durationMs: 120 },
        criticalPath: [{ stepId: 'memory_list', stepName: 'memory_list', durationMs: 120 }],
      },
      issues: [],
      recommendations: [],
      metrics: { stepCount: 1, successRate: 1, errorCount: 0, retryCount: 0, repeatedCalls: 0 },
    });
  });

  test('that failed is called failed, with code and message', () => {
    const { summary, issues, metrics } = analyze(call({ ...failure, toolCode: 'TRACE_NOT_FOUND' }));
    expect(summary).toBe('memory_list failed after 120 ms with NOT_FOUND (TRACE_NOT_FOUND): There is no trace 7.');
    expect(issues).toEqual([
      {
        type: 'error',
        message: 'memory_list failed with NOT_FOUND (TRACE_NOT_FOUND): There is no trace 7',
        severity: 'high',
      },
    ]);
    expect(metrics).toMatchObject({ stepCount: 1, successRate: 0, errorCount: 1 });
  });

  test('that still runs is called running, and nothing is made up about it', () => {
    const { summary, performance, metrics } = analyze(call(running));
    expect(summary).toBe('memory_list is still running.');
    expect(performance).toEqual({ totalDuration: 0, averageStepDuration: 0, slowestStep: null, criticalPath: [] });
    expect(metrics).toMatchObject({ stepCount: 1, successRate: 1, errorCount: 0 });
  });

  test('that a crash or a fault of ours ended is critical', () => {
    for (const codes of [{ errorCode: 'INTERNAL_ERROR' }, { errorCode: 'OPERATION_FAILED', toolCode: 'INTERRUPTED' }]) {
      expect(analyze(call({ ...failure, ...codes })).issues[0]?.severity).toBe('critical');
    }
  });
});

describe('steps', () => {
  const steps = [
    step('fetch', { at: 1000, durationMs: 900, payload: { stepName: 'Fetch' } }),
    step('log', { at: 1000, durationMs: 100 }),
    step('never', { status: 'skipped', durationMs: 0 }),
    step('store', {
      at: 1900,
      durationMs: 200,
      status: 'failure',
      payload: { error: { code: 'CONFLICT', message: 'It moved' } },
    }),
  ];
  const run = call({
    ...failure,
    toolName: 'workflow_run',
    durationMs: 1100,
    errorCode: 'OPERATION_FAILED',
    toolCode: 'WORKFLOW_STEP_FAILED',
    errorMessage: 'store failed',
    steps,
  });

  test('are counted and timed; what was skipped did not run', () => {
    const { performance, metrics } = analyze(run);
    expect(performance).toEqual({
      totalDuration: 1100,
      averageStepDuration: 400,
      slowestStep: { stepId: 'fetch', stepName: 'Fetch', durationMs: 900 },
      criticalPath: [
        { stepId: 'fetch', stepName: 'Fetch', durationMs: 900 },
        { stepId: 'store', stepName: 'store', durationMs: 200 },
      ],
    });
    expect(metrics).toEqual({ stepCount: 4, successRate: 2 / 3, errorCount: 1, retryCount: 0, repeatedCalls: 0 });
  });

  test('are told in the summary, after how the call ended', () => {
    expect(analyze(run).summary).toBe(
      'workflow_run failed after 1100 ms with OPERATION_FAILED (WORKFLOW_STEP_FAILED): store failed. ' +
        '2 of 3 finished steps succeeded, the slowest was Fetch with 900 ms.',
    );
  });

  test('that failed are issues with their code', () => {
    expect(analyze(run).issues).toEqual([
      expect.objectContaining({ type: 'error', message: expect.stringContaining('workflow_run failed with') }),
      { type: 'error', message: 'store failed with CONFLICT: It moved', severity: 'high', stepId: 'store' },
    ]);
  });

  test('that failed in a call that succeeded are less grave', () => {
    expect(analyze({ ...run, status: 'success' }).issues[0]).toMatchObject({ stepId: 'store', severity: 'medium' });
  });

  test('that took most of a long call are issues', () => {
    const slow = call({ durationMs: 3000, steps: [step('a', { durationMs: 2500 }), step('b', { at: 3500 })] });
    expect(analyze(slow).issues).toEqual([
      { type: 'slow_step', message: 'a took 2500 ms of 3000 ms', severity: 'low', stepId: 'a' },
    ]);
    expect(analyze(slow).recommendations[0]?.message).toContain('dependsOn');
  });

  test('of a running call give the time it has lasted so far', () => {
    expect(analyze(call({ ...running, steps: steps.slice(0, 2) }))).toMatchObject({
      summary: 'memory_list is still running. 2 of 2 finished steps succeeded, the slowest was Fetch with 900 ms.',
      performance: { totalDuration: 900 },
    });
  });
});

describe('errors that were noted', () => {
  const note = (payload: Record<string, unknown>): TraceStep => ({ type: 'error', at: 1000, payload });

  test('are issues with their code', () => {
    const steps = [note({ code: 'RATE_LIMITED', message: 'Too many', toolName: 'search' })];
    expect(analyze(call({ steps })).issues).toEqual([
      { type: 'error', message: 'search failed with RATE_LIMITED: Too many', severity: 'medium' },
    ]);
    expect(analyze(call({ steps })).metrics.errorCount).toBe(1);
  });

  test('are not told twice where a failed step or the call tells them', () => {
    const failed = step('a', { status: 'failure', payload: { errorCode: 'CONFLICT' } });
    const steps = [
      failed,
      note({ stepId: 'a', code: 'CONFLICT' }),
      note({ code: failure.errorCode, message: failure.errorMessage }),
    ];
    const { issues, metrics } = analyze(call({ ...failure, steps }));
    expect(issues.map(({ stepId }) => stepId)).toEqual([undefined, 'a']);
    expect(metrics.errorCount).toBe(1);
  });
});

describe('advice', () => {
  test('is given once, with the gravest severity it is for', () => {
    const steps = [
      step('a', { status: 'failure', payload: { errorCode: 'RATE_LIMITED', toolName: 'x', attempt: 1 } }),
      step('a', { status: 'failure', payload: { errorCode: 'RATE_LIMITED', toolName: 'x' } }),
      step('a', { payload: { attempt: 2 } }),
    ];
    const given = analyze(call({ steps })).recommendations.filter(({ type }) => type === 'error');
    expect(given).toEqual([{ type: 'error', message: expect.stringContaining('calls of x'), severity: 'medium' }]);
  });
});

describe('of 10,000 steps', () => {
  const many = (payload: (index: number) => Record<string, unknown>, spread: number): CallRecord =>
    call({
      durationMs: 10_000 * spread + 50,
      steps: Array.from({ length: 10_000 }, (_, index) =>
        step(`s${index}`, { at: 1000 + index * spread, durationMs: 10, payload: payload(index) }),
      ),
    });

  test.each([
    ['one after the other', many(() => ({}), 10)],
    ['overlapping', many(() => ({}), 1)],
    ['each in the one before', many((index) => ({ parentId: `s${index - 1}` }), 1)],
    ['each depending on the one before', many((index) => ({ dependsOn: [`s${index - 1}`] }), 10)],
    ['tries of one step', many((index) => ({ stepId: 's', attempt: index + 1 }), 10)],
    ['the same call', many(() => ({ toolName: 'x', input: { a: 1 } }), 10)],
  ])('%s, the analysis is valid, repeatable and quick', (_how, record) => {
    const analysis = analyze(record);
    const times = Array.from({ length: 6 }, () => {
      const start = performance.now();
      expect(analyze(record).metrics).toEqual(analysis.metrics);
      return performance.now() - start;
    });
    // Other work on the machine can only make it slower.
    expect(Math.min(...times)).toBeLessThan(100);
    expect(analyze(record)).toEqual(analysis);
    expect(TraceAnalyzeOutputSchema.safeParse(analysis).success).toBe(true);
    expect(analysis.metrics.stepCount).toBe(10_000);
  });
});
