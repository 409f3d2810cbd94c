import type { CallRecord, TraceStep } from './call-record.js';

/** Something that took time in a call: a step of a workflow, a nested call, or the call itself. */
export interface Step {
  readonly stepId: string;
  readonly stepName: string;
  readonly status: NonNullable<TraceStep['status']>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly payload: Readonly<Record<string, unknown>>;
  /** True for the call itself. */
  readonly isCall: boolean;
}

type Payload = Step['payload'];

/** The first of these fields that holds a text. */
export function textOf(payload: Payload, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = payload[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export const numberOf = (payload: Payload, name: string): number | undefined => {
  const value = payload[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** It ran to an end, good or bad, so its duration says something. */
export const hasRun = ({ status }: Step): boolean => status === 'success' || status === 'failure';

/** The first of those that took longest. */
export const slowestOf = (steps: readonly Step[]): Step | undefined =>
  steps
    .filter(hasRun)
    .reduce<Step | undefined>(
      (slowest, step) => (step.durationMs > (slowest?.durationMs ?? -1) ? step : slowest),
      undefined,
    );

/** `run.start` and `tool.invoke` */
const EVENTS_BEFORE_STEPS = 2;

/** In the order of their events. A call in which nothing is told apart is one step. */
export function stepsOf(record: CallRecord): Step[] {
  const steps: Step[] = [];
  record.steps.forEach((step, index) => {
    // The same id that `toEvents` gives, so that trace_get shows which event is meant.
    const eventId = `${record.traceId}/${index + EVENTS_BEFORE_STEPS}`;
    if (step.type === 'step.execute' || step.type === 'tool.result') steps.push(toStep(step, eventId, record));
  });
  return steps.length === 0 ? [wholeCall(record)] : withoutFinishedStarts(steps);
}

function toStep(step: TraceStep, eventId: string, record: CallRecord): Step {
  const { at, durationMs = 0, payload = {} } = step;
  const stepId = textOf(payload, 'stepId') ?? eventId;
  const startedAt = isAtItsEnd(step, record) ? at - durationMs : at;
  return {
    stepId,
    stepName: textOf(payload, 'stepName', 'name', 'toolName') ?? stepId,
    status: step.status ?? (payload.success === false || textOf(payload, 'errorCode') ? 'failure' : 'success'),
    startedAt,
    endedAt: startedAt + durationMs,
    durationMs,
    payload,
    isCall: false,
  };
}

/** Two clocks tell when a step began and how long its call took. */
const SLACK_MS = 5;

/** A result is noted when it arrives, a step with the time it began; one that would outlast its call was noted at its end. */
function isAtItsEnd({ type, at, durationMs = 0 }: TraceStep, record: CallRecord): boolean {
  if (type === 'tool.result') return true;
  const outlasts = at + durationMs > record.startedAt + (record.durationMs ?? Number.POSITIVE_INFINITY) + SLACK_MS;
  return outlasts && at - durationMs >= record.startedAt - SLACK_MS;
}

const wholeCall = ({ toolName, status, startedAt, durationMs = 0 }: CallRecord): Step => ({
  stepId: toolName,
  stepName: toolName,
  status,
  startedAt,
  endedAt: startedAt + durationMs,
  durationMs,
  payload: { toolName },
  isCall: true,
});

/** A step that was noted when it began and again when it ended is one step. */
function withoutFinishedStarts(steps: readonly Step[]): Step[] {
  const ended = new Set<string>();
  return steps
    .toReversed()
    .filter((step) => {
      if (step.status !== 'running') ended.add(step.stepId);
      return step.status !== 'running' || !ended.has(step.stepId);
    })
    .reverse();
}
