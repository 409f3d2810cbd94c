import type { OutputOf, traceAnalyze } from '@automatosx/contracts';
import { overrideOf } from './advice.js';
import type { CallRecord } from './call-record.js';
import { numberOf, type Step, textOf } from './steps.js';

export type TraceAnalysis = OutputOf<typeof traceAnalyze>;

/** Something worth knowing about a call, and what to do about it where that is known. */
export type Finding = TraceAnalysis['issues'][number] & { readonly advice?: string };

const NEAR = 0.8;
const SLOW_SHARE = 0.5;
const SLOW_MS = 1000;

const milliseconds = (ms: number) => `${Math.round(ms)} ms`;

/** Steps that used more than 80 % of their time, and the call if it did. What ran out of time is an error instead. */
export function timeoutFindings({ toolName, durationMs = 0, errorCode, marks }: CallRecord, steps: readonly Step[]) {
  const near = steps.flatMap(nearTimeout);
  if (marks.nearTimeoutMs === undefined || errorCode === 'TOOL_TIMEOUT') return near;
  const advice = `Raise ${overrideOf(toolName)}, or ask ${toolName} for less at a time`;
  const call: Finding = {
    type: 'near_timeout',
    message: nearTimeoutText(toolName, durationMs, marks.nearTimeoutMs),
    severity: 'medium',
    advice,
  };
  return [call, ...near];
}

const nearTimeoutText = (name: string, durationMs: number, timeoutMs: number) =>
  `${name} took ${milliseconds(durationMs)} of the ${milliseconds(timeoutMs)} it may take`;

function nearTimeout({ stepId, stepName, durationMs, status, payload }: Step): Finding[] {
  const timeoutMs = numberOf(payload, 'timeoutMs') ?? Number.POSITIVE_INFINITY;
  const isOver = status === 'failure' && durationMs >= timeoutMs;
  if (isOver || durationMs <= timeoutMs * NEAR) return [];
  const message = nearTimeoutText(stepName, durationMs, timeoutMs);
  const tool = textOf(payload, 'toolName');
  const setting = tool === undefined ? `timeoutMs of the step ${stepId}` : overrideOf(tool);
  const advice = `Raise ${setting}, or give ${stepName} less to do`;
  return [{ type: 'near_timeout', message, severity: 'medium', stepId, advice }];
}

/** What the layers noticed. */
export function markFindings({ toolName, marks }: CallRecord): Finding[] {
  const findings: Finding[] = [];
  if (marks.truncated) {
    findings.push({
      type: 'truncated',
      message: `The answer of ${toolName} was longer than limits.response.maxResponseBytes and was cut`,
      severity: 'low',
      advice: `Ask ${toolName} for fewer items (limit) and page with cursor, or read the whole answer at the artifact:// link that it carries`,
    });
  }
  if (marks.invalidOutput !== undefined) {
    findings.push({
      type: 'invalid_output',
      message: `The output of ${toolName} breaks its schema: ${marks.invalidOutput.join('; ')}`,
      severity: 'high',
      advice: `Correct ${toolName}, or its contract: clients that check the outputSchema refuse this answer`,
    });
  }
  if (marks.replayed) {
    findings.push({
      type: 'replayed',
      message: `Nothing was done: ${toolName} answered with the result of an earlier call that had the same idempotency key`,
      severity: 'low',
      advice: `Send a new _meta["automatosx/idempotencyKey"] if ${toolName} was meant to run again`,
    });
  }
  for (const message of marks.warnings ?? []) findings.push({ type: 'warning', message, severity: 'low' });
  return findings;
}

/** The step that took most of a long call. */
export function slowStepFindings(slowest: Step | undefined, totalMs: number, stepCount: number): Finding[] {
  if (slowest === undefined || stepCount < 2 || slowest.durationMs < Math.max(SLOW_MS, totalMs * SLOW_SHARE)) return [];
  const { stepId, stepName, durationMs } = slowest;
  return [
    {
      type: 'slow_step',
      message: `${stepName} took ${milliseconds(durationMs)} of ${milliseconds(totalMs)}`,
      severity: 'low',
      stepId,
      advice: `Make ${stepName} faster first. Steps that do not need its output can run beside it: give them a dependsOn without ${stepId}`,
    },
  ];
}
