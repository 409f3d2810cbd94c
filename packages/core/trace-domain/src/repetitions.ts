import type { CallRecord } from './call-record.js';
import type { Finding } from './findings.js';
import { numberOf, type Step, textOf } from './steps.js';

const MANY_RETRIES = 3;
const MANY_CALLS = 3;

export interface Retry {
  readonly step: Step;
  readonly count: number;
}

/** Tries after the first, of each step that had any. Tries are counted from 1, or from 0 where a 0 is seen. */
export function retriesOf(steps: readonly Step[]): Retry[] {
  const tried = new Map<string, { step: Step; first: number; last: number }>();
  for (const step of steps) {
    const attempt = numberOf(step.payload, 'attempt');
    if (attempt === undefined) continue;
    const { first, last } = tried.get(step.stepId) ?? { first: 1, last: attempt };
    tried.set(step.stepId, { step, first: Math.min(first, attempt), last: Math.max(last, attempt) });
  }
  return [...tried.values()]
    .map(({ step, first, last }) => ({ step, count: last - first }))
    .filter(({ count }) => count > 0);
}

export const retryFindings = (retries: readonly Retry[]): Finding[] =>
  retries.map(({ step: { stepId, stepName, status }, count }) => ({
    type: 'retry',
    message: `${stepName} was tried ${count + 1} times and ${status === 'success' ? 'succeeded at last' : 'did not succeed'}`,
    severity: count >= MANY_RETRIES || status === 'failure' ? 'medium' : 'low',
    stepId,
    advice: `Find out why ${stepName} fails at first: every try costs time. retry.maxAttempts and retry.backoffMs of the step decide how often and how soon it is tried again`,
  }));

export interface Repetition {
  readonly toolName: string;
  readonly count: number;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON in which the order of fields makes no difference. */
const canonical = (input: unknown): string =>
  JSON.stringify(input, (_key, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value));

/** Tools that were called at least three times with the same input; a retry is no such call. */
export function repetitionsOf({ steps }: CallRecord): Repetition[] {
  const seen = new Map<string, { toolName: string; counts: Map<string, number> }>();
  for (const { type, payload = {} } of steps) {
    const toolName = textOf(payload, 'toolName');
    if (toolName === undefined || payload.input === undefined || (numberOf(payload, 'attempt') ?? 1) > 1) continue;
    const call = `${toolName} ${canonical(payload.input)}`;
    const { counts } = seen.get(call) ?? { counts: new Map<string, number>() };
    seen.set(call, { toolName, counts: counts.set(type, (counts.get(type) ?? 0) + 1) });
  }
  // One call may have left an event when it began and another when it ended.
  return [...seen.values()]
    .map(({ toolName, counts }) => ({ toolName, count: Math.max(...counts.values()) }))
    .filter(({ count }) => count >= MANY_CALLS);
}

export const repetitionFindings = (repetitions: readonly Repetition[]): Finding[] =>
  repetitions.map(({ toolName, count }) => ({
    type: 'repeated_call',
    message: `${toolName} was called ${count} times with the same input`,
    severity: 'medium',
    advice: `Call ${toolName} once and pass its answer on, or end the loop that asks again`,
  }));
