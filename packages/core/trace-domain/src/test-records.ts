import type { CallRecord, TraceStep } from './call-record.js';

/** Records for tests: a good call of 120 ms that began at 1000, and what differs from it. */
export const call = (rest: Partial<CallRecord> = {}): CallRecord => ({
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

export const failure = { status: 'failure', errorCode: 'NOT_FOUND', errorMessage: 'There is no trace 7' } as const;

export const running = { status: 'running', durationMs: undefined, output: undefined } as const;

export const step = (stepId: string, rest: Partial<TraceStep> = {}): TraceStep => ({
  type: 'step.execute',
  at: 1000,
  status: 'success',
  durationMs: 10,
  ...rest,
  payload: { stepId, ...rest.payload },
});
