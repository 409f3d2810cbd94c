import { TraceEventSchema } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import { type CallRecord, eventCountOf, toEvents, traceName } from './call-record.js';

const record: CallRecord = {
  traceId: '0193a5c2-7b1e-7c3a-9f00-1a2b3c4d5e6f',
  toolName: 'memory_store',
  workflowId: 'mcp.tool.memory_store',
  status: 'success',
  startedAt: 1_000,
  durationMs: 25,
  principal: 'local',
  workspace: '/work',
  correlationId: 'c-1',
  input: '{"key":"a"}',
  output: '{"success":true}',
  steps: [{ type: 'step.execute', at: 1_010, status: 'success', durationMs: 5, payload: { stepId: 'write' } }],
  marks: { cached: true },
};

const failed: CallRecord = {
  ...record,
  status: 'failure',
  output: undefined,
  errorCode: 'CONFLICT',
  toolCode: 'VERSION_CONFLICT',
  errorMessage: 'It moved',
};

const { durationMs, output, ...begun } = record;
const running: CallRecord = { ...begun, status: 'running' };

test('a trace is named after its tool', () => {
  expect(traceName(record)).toBe('mcp.tool.memory_store');
});

test('INV-MCP-009: the result holds input, output, duration and success', () => {
  expect(toEvents(record).find(({ type }) => type === 'tool.result')).toMatchObject({
    status: 'success',
    durationMs: 25,
    payload: {
      type: 'mcp.toolCalled',
      toolName: 'memory_store',
      input: { key: 'a' },
      output: { success: true },
      success: true,
      durationMs: 25,
      cached: true,
    },
  });
});

test('events tell a call from its start over its steps to its end', () => {
  expect(toEvents(record).map(({ type, timestamp }) => [type, timestamp])).toEqual([
    ['run.start', '1970-01-01T00:00:01.000Z'],
    ['tool.invoke', '1970-01-01T00:00:01.000Z'],
    ['step.execute', '1970-01-01T00:00:01.010Z'],
    ['tool.result', '1970-01-01T00:00:01.025Z'],
    ['run.end', '1970-01-01T00:00:01.025Z'],
  ]);
});

test('a failure adds an error with code, finer code and message', () => {
  const events = toEvents(failed);
  expect(events.map(({ type }) => type)).toEqual([
    'run.start',
    'tool.invoke',
    'step.execute',
    'error',
    'tool.result',
    'run.end',
  ]);
  expect(events[3]?.payload).toEqual({ code: 'CONFLICT', toolCode: 'VERSION_CONFLICT', message: 'It moved' });
  expect(events[4]?.payload).toMatchObject({ success: false, errorCode: 'CONFLICT', output: null });
});

test('a running call has no end yet', () => {
  expect(toEvents(running).map(({ type }) => type)).toEqual(['run.start', 'tool.invoke', 'step.execute']);
});

test.each([
  ['finished', record],
  ['failed', failed],
  ['running', running],
])('the events of a %s call are numbered, counted, linked and valid', (_status, call) => {
  const events = toEvents(call);
  expect(events).toHaveLength(eventCountOf(call));
  events.forEach((event, index) => {
    expect(event).toMatchObject({ eventId: `${call.traceId}/${index}`, sequence: index, correlationId: 'c-1' });
    expect(TraceEventSchema.safeParse(event).success).toBe(true);
  });
});
