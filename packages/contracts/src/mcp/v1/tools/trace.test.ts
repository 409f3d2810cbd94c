import { expect, test } from 'vitest';
import { traceAnalyze, traceGet, traceList } from './trace.js';

test.each([
  ['trace_get', traceGet],
  ['trace_analyze', traceAnalyze],
])('%s takes the id of a trace', (_name, { input }) => {
  expect(input.parse({ traceId: 't' })).toEqual({ traceId: 't' });
  for (const value of [{}, { traceId: '' }, { traceId: 't'.repeat(101) }, { traceId: 't', other: 1 }]) {
    expect(input.safeParse(value).success).toBe(false);
  }
});

test.each([
  [true, { status: 'failure', toolName: 'memory_list', sessionId: 's', workspace: '/w' }],
  [false, { status: 'failed' }],
  [false, { toolName: 't'.repeat(201) }],
  [false, { since: 'yesterday' }],
])('it is %s that trace_list takes %j', (isTaken, input) => {
  expect(traceList.input.safeParse(input).success).toBe(isTaken);
});
