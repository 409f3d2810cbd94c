import { TraceAnalyzeOutputSchema } from '@automatosx/contracts';
import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.js';
import type { CallRecord, TraceStep } from './call-record.js';

const call = (rest: Partial<CallRecord> = {}): CallRecord => ({
  traceId: 't',
  toolName: 'memory_list',
  workflowId: 'mcp.tool.memory_list',
  status: 'success',
  startedAt: 1000,
  durationMs: 120,
  principal: 'local',
  workspace: '',
  correlationId: 'c',
  input: '{}',
  output: '{}',
  steps: [],
  marks: {},
  ...rest,
});

const failure = { status: 'failure', errorCode: 'NOT_FOUND', errorMessage: 'There is no trace 7' } as const;

const step = (stepId: string, rest: Partial<TraceStep> = {}): TraceStep => ({
  type: 'step.execute',
  at: 1000,
  status: 'success',
  durationMs: 10,
  ...rest,
  payload: { stepId, ...rest.payload },
});

const nested = (toolName: string, input: unknown, attempt?: number): TraceStep => ({
  type: 'tool.result',
  at: 1010,
  status: 'success',
  durationMs: 1,
  payload: { toolName, input, ...(attempt && { attempt }) },
});

const typesOf = (record: CallRecord) => analyze(record).issues.map(({ type }) => type);
const adviceOn = (record: CallRecord) => analyze(record).recommendations.map(({ message }) => message);

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
    const { summary, performance, metrics } = analyze(
      call({ status: 'running', durationMs: undefined, output: undefined }),
    );
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

describe('advice', () => {
  test.each([
    [{ errorCode: 'TOOL_TIMEOUT' }, 'timeouts.toolOverrides.memory_list'],
    [{ errorCode: 'TOOL_TIMEOUT', toolName: 'a.b' }, 'timeouts.toolOverrides["a.b"]'],
    [{ errorCode: 'INVALID_INPUT' }, 'inputSchema of memory_list'],
    [{ errorCode: 'ARRAY_TOO_LARGE' }, 'limits.request.toolArrayLimits.memory_list'],
    [{ errorCode: 'RATE_LIMITED' }, 'rateLimits'],
    [{ errorCode: 'INVALID_FORMAT', toolCode: 'INVALID_CURSOR' }, 'nextCursor'],
    [{ errorCode: 'SERVICE_UNAVAILABLE', toolCode: 'MODEL_UNAVAILABLE' }, 'models.providers'],
    [{ errorCode: 'constructor' }, 'trace_get'],
    [{ errorCode: undefined }, 'trace_get'],
  ])('on %j names the way out', (rest, way) => {
    expect(adviceOn(call({ ...failure, ...rest }))).toEqual([expect.stringContaining(way)]);
  });

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
    expect(adviceOn(slow)[0]).toContain('dependsOn');
  });

  test('of a running call give the time it has lasted so far', () => {
    const running = call({ status: 'running', durationMs: undefined, output: undefined, steps: steps.slice(0, 2) });
    expect(analyze(running)).toMatchObject({
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

describe('near timeouts', () => {
  test('of the call name its setting', () => {
    const near = call({ durationMs: 9100, marks: { nearTimeoutMs: 10_000 } });
    expect(analyze(near).issues).toEqual([
      { type: 'near_timeout', message: 'memory_list took 9100 ms of the 10000 ms it may take', severity: 'medium' },
    ]);
    expect(adviceOn(near)).toEqual([expect.stringContaining('timeouts.toolOverrides.memory_list')]);
    expect(analyze(near).summary).toBe('memory_list succeeded in 9100 ms. Noticed: near timeout.');
  });

  test('of steps begin above 80 %', () => {
    const steps = [
      step('at', { durationMs: 80, payload: { timeoutMs: 100 } }),
      step('above', { durationMs: 81, payload: { timeoutMs: 100 } }),
      step('tool', { durationMs: 99, payload: { timeoutMs: 100, toolName: 'search' } }),
    ];
    const analysis = analyze(call({ steps }));
    expect(analysis.issues.map(({ stepId }) => stepId)).toEqual(['above', 'tool']);
    expect(analysis.recommendations.map(({ message }) => message)).toEqual([
      expect.stringContaining('timeoutMs of the step above'),
      expect.stringContaining('timeouts.toolOverrides.search'),
    ]);
  });

  test('that became timeouts are errors only', () => {
    const late = step('a', {
      status: 'failure',
      durationMs: 100,
      payload: { timeoutMs: 100, errorCode: 'TOOL_TIMEOUT' },
    });
    expect(typesOf(call({ steps: [late] }))).toEqual(['error']);
    expect(typesOf(call({ ...failure, errorCode: 'TOOL_TIMEOUT', marks: { nearTimeoutMs: 100 } }))).toEqual(['error']);
  });
});

describe('marks', () => {
  test('become issues with advice', () => {
    const marked = call({
      marks: { truncated: true, invalidOutput: ['total: missing', 'keys: no array'], replayed: true },
    });
    const { issues, recommendations, summary } = analyze(marked);
    expect(issues.map(({ type, severity }) => [type, severity])).toEqual([
      ['truncated', 'low'],
      ['invalid_output', 'high'],
      ['replayed', 'low'],
    ]);
    expect(issues[1]?.message).toContain('total: missing; keys: no array');
    expect(recommendations.map(({ type }) => type)).toEqual(['truncated', 'invalid_output', 'replayed']);
    expect(recommendations[0]?.message).toMatch(/cursor.*artifact:\/\//);
    expect(summary).toBe(
      'memory_list succeeded in 120 ms with the answer of an earlier call. Noticed: truncated, invalid output, replayed.',
    );
  });

  test('warnings are issues as they are', () => {
    expect(analyze(call({ marks: { warnings: ['Close to a limit'], cached: true } }))).toMatchObject({
      summary: 'memory_list succeeded in 120 ms from the cache. Noticed: warning.',
      issues: [{ type: 'warning', message: 'Close to a limit', severity: 'low' }],
      recommendations: [],
    });
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
    analyze(record);
    const start = performance.now();
    const analysis = analyze(record);
    expect(performance.now() - start).toBeLessThan(100);
    expect(analysis).toEqual(analyze(record));
    expect(TraceAnalyzeOutputSchema.safeParse(analysis).success).toBe(true);
    expect(analysis.metrics.stepCount).toBe(10_000);
  });
});
