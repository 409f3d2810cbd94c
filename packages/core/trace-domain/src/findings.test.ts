import { describe, expect, test } from 'vitest';
import { analyze } from './analyze.js';
import type { CallRecord } from './call-record.js';
import { call, failure, step } from './test-records.js';

const typesOf = (record: CallRecord) => analyze(record).issues.map(({ type }) => type);
const adviceOn = (record: CallRecord) => analyze(record).recommendations.map(({ message }) => message);

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
