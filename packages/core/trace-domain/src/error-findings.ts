import { adviceFor } from './advice.js';
import type { CallRecord } from './call-record.js';
import type { Finding } from './findings.js';
import { numberOf, type Step, textOf } from './steps.js';

interface Failure {
  readonly code?: string | undefined;
  readonly toolCode?: string | undefined;
  readonly message?: string | undefined;
}

/** `failed with NOT_FOUND (TRACE_NOT_FOUND): There is no trace 7` */
export function failureText({ code, toolCode, message }: Failure, afterMs?: number): string {
  const after = afterMs === undefined ? '' : ` after ${Math.round(afterMs)} ms`;
  const finer = toolCode === undefined || toolCode === code ? '' : ` (${toolCode})`;
  return `failed${after}${code ? ` with ${code}${finer}` : ''}${message ? `: ${message}` : ''}`;
}

export const failureOf = ({ errorCode, toolCode, errorMessage }: CallRecord): Failure => ({
  code: errorCode,
  toolCode,
  message: errorMessage,
});

/** A step tells its error in fields of its own or in an `error`. */
function failureIn(payload: Step['payload']): Failure {
  const { error } = payload;
  const inner = typeof error === 'object' && error !== null ? (error as Step['payload']) : {};
  return {
    code: textOf(payload, 'errorCode', 'code') ?? textOf(inner, 'code', 'errorCode'),
    toolCode: textOf(payload, 'toolCode') ?? textOf(inner, 'toolCode'),
    message: textOf(payload, 'errorMessage', 'message', 'error') ?? textOf(inner, 'message'),
  };
}

/** The call's own failure: a fault of ours, or work that was lost, is worse than a refusal. */
export function callFailure(record: CallRecord): Finding[] {
  if (record.status !== 'failure') return [];
  const { toolName, errorCode, toolCode } = record;
  const isFault = errorCode === 'INTERNAL_ERROR' || toolCode === 'INTERRUPTED';
  return [
    {
      type: 'error',
      message: `${toolName} ${failureText(failureOf(record))}`,
      severity: isFault ? 'critical' : 'high',
      advice: adviceFor([toolCode, errorCode], toolName),
    },
  ];
}

/** Failures inside the call: its steps, and the errors that were noted apart from them. */
export function innerFailures(record: CallRecord, steps: readonly Step[]): Finding[] {
  const failed = steps.filter(({ status, isCall }) => status === 'failure' && !isCall);
  const lastGood = lastGoodAttempts(steps);
  const severityOf = (step: Step) => {
    if ((numberOf(step.payload, 'attempt') ?? Number.POSITIVE_INFINITY) < (lastGood.get(step.stepId) ?? 0))
      return 'low';
    return record.status === 'success' ? 'medium' : 'high';
  };
  const told = new Set(failed.map(({ stepId }) => stepId));
  return [
    ...failed.map((step) => toFinding(step, severityOf(step))),
    ...notedErrors(record, told).map((step) => toFinding(step, record.status === 'success' ? 'medium' : 'high')),
  ];
}

type Place = Pick<Step, 'payload'> & { readonly stepId?: string | undefined; readonly stepName: string };

function toFinding({ stepId, stepName, payload }: Place, severity: Finding['severity']): Finding {
  const failure = failureIn(payload);
  const message = `${stepName} ${failureText(failure)}`;
  const advice = adviceFor([failure.toolCode, failure.code], textOf(payload, 'toolName') ?? stepName);
  return { type: 'error', message, severity, advice, ...(stepId !== undefined && { stepId }) };
}

function lastGoodAttempts(steps: readonly Step[]): Map<string, number> {
  const attempts = new Map<string, number>();
  for (const { status, stepId, payload } of steps) {
    const attempt = numberOf(payload, 'attempt');
    if (status === 'success' && attempt !== undefined)
      attempts.set(stepId, Math.max(attempts.get(stepId) ?? 0, attempt));
  }
  return attempts;
}

/** Errors that neither a failed step nor the call's own failure tells already. */
function notedErrors({ steps, toolName, errorCode, errorMessage }: CallRecord, told: ReadonlySet<string>): Place[] {
  const notes = steps.filter(({ type }) => type === 'error');
  return notes.flatMap(({ payload = {} }) => {
    const stepId = textOf(payload, 'stepId');
    const { code, message } = failureIn(payload);
    const isOwn = stepId === undefined && code === errorCode && message === errorMessage;
    if (isOwn || (stepId !== undefined && told.has(stepId))) return [];
    return [{ stepId, stepName: textOf(payload, 'stepName', 'name', 'toolName') ?? stepId ?? toolName, payload }];
  });
}
