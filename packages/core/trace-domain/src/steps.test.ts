import { expect, test } from 'vitest';
import { type CallRecord, type TraceStep, toEvents } from './call-record.js';
import { slowestOf, stepsOf } from './steps.js';
import { call as callWith, running } from './test-records.js';

const call = (steps: readonly TraceStep[], rest: Partial<CallRecord> = {}): CallRecord =>
  callWith({ toolName: 'workflow_run', durationMs: 500, steps, ...rest });

test('a call without steps is one step itself', () => {
  expect(stepsOf(call([{ type: 'decision.routing', at: 1000 }]))).toMatchObject([
    { stepId: 'workflow_run', stepName: 'workflow_run', status: 'success', durationMs: 500, isCall: true },
  ]);
});

test('steps are named by their payload, else by their event, which trace_get shows', () => {
  const record = call([
    { type: 'step.execute', at: 1000, payload: { stepId: 'fetch', stepName: 'Fetch it' } },
    { type: 'decision.routing', at: 1000 },
    { type: 'tool.result', at: 1000, payload: { toolName: 'memory_list' } },
  ]);
  const steps = stepsOf(record);
  expect(toEvents(record).find(({ eventId }) => eventId === 't/4')?.payload).toEqual({ toolName: 'memory_list' });
  expect(steps.map(({ stepId, stepName }) => [stepId, stepName])).toEqual([
    ['fetch', 'Fetch it'],
    ['t/4', 'memory_list'],
  ]);
});

test('a step is noted with its beginning, a result with its end', () => {
  const times = { at: 1200, durationMs: 100 };
  const [step, result] = stepsOf(
    call([
      { type: 'step.execute', ...times },
      { type: 'tool.result', ...times },
    ]),
  );
  expect(step).toMatchObject({ startedAt: 1200, endedAt: 1300 });
  expect(result).toMatchObject({ startedAt: 1100, endedAt: 1200 });
});

test('a step that would outlast its call was noted at its end', () => {
  const [step] = stepsOf(call([{ type: 'step.execute', at: 1500, durationMs: 400 }]));
  expect(step).toMatchObject({ startedAt: 1100, endedAt: 1500 });
});

test('a step without a status failed if its payload says so', () => {
  const [failed, coded, good] = stepsOf(
    call([
      { type: 'tool.result', at: 1, payload: { success: false } },
      { type: 'tool.result', at: 1, payload: { errorCode: 'NOT_FOUND' } },
      { type: 'tool.result', at: 1 },
    ]),
  );
  expect([failed?.status, coded?.status, good?.status]).toEqual(['failure', 'failure', 'success']);
});

test('a step that was noted at its beginning and at its end is one step', () => {
  const steps = stepsOf(
    call([
      { type: 'step.execute', at: 1000, status: 'running', payload: { stepId: 'a' } },
      { type: 'step.execute', at: 1000, status: 'success', durationMs: 50, payload: { stepId: 'a' } },
      { type: 'step.execute', at: 1050, status: 'running', payload: { stepId: 'b' } },
    ]),
  );
  expect(steps.map(({ stepId, status }) => [stepId, status])).toEqual([
    ['a', 'success'],
    ['b', 'running'],
  ]);
});

test('the slowest step is the first of those that took longest; what did not run is none', () => {
  const step = (stepId: string, durationMs: number, status: TraceStep['status'] = 'success'): TraceStep => ({
    type: 'step.execute',
    at: 1000,
    status,
    durationMs,
    payload: { stepId },
  });
  expect(slowestOf(stepsOf(call([step('a', 5), step('b', 9), step('c', 9), step('d', 99, 'skipped')])))?.stepId).toBe(
    'b',
  );
  expect(slowestOf(stepsOf(call([], running)))).toBeUndefined();
});
