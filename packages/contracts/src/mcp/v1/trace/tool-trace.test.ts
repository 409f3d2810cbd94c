import { expect, test } from 'vitest';
import { ToolTraceEventSchema, TRACE_EVENT_TYPES, TraceEventSchema } from './tool-trace.js';

test('the types of events are these', () => {
  expect(TRACE_EVENT_TYPES).toEqual([
    'run.start',
    'run.end',
    'tool.invoke',
    'tool.result',
    'step.execute',
    'decision.routing',
    'error',
  ]);
});

test('the record of a call holds input, output, duration and success', () => {
  const call = { toolName: 'memory_list', input: {}, output: {}, durationMs: 1.5, success: true };
  expect(ToolTraceEventSchema.parse(call)).toEqual(call);
  for (const part of [{ durationMs: -1 }, { success: undefined }, { toolName: undefined }]) {
    expect(ToolTraceEventSchema.safeParse({ ...call, ...part }).success).toBe(false);
  }
});

test('an event has a place in its trace, a time and a correlation', () => {
  const event = {
    eventId: 'e',
    type: 'run.start',
    sequence: 0,
    timestamp: '2026-01-01T00:00:00.000Z',
    correlationId: 'c',
  };
  expect(TraceEventSchema.parse(event)).toEqual(event);
  for (const part of [{ sequence: -1 }, { timestamp: 'now' }, { type: 'run' }, { correlationId: undefined }]) {
    expect(TraceEventSchema.safeParse({ ...event, ...part }).success).toBe(false);
  }
});
