import type { CallRecord } from './call-record.js';
import { criticalPath } from './critical-path.js';
import { callFailure, innerFailures } from './error-findings.js';
import { type Finding, markFindings, slowStepFindings, type TraceAnalysis, timeoutFindings } from './findings.js';
import { repetitionFindings, repetitionsOf, retriesOf, retryFindings } from './repetitions.js';
import { hasRun, type Step, slowestOf, stepsOf } from './steps.js';
import { summarize } from './summary.js';

/** What was slow, what failed, what was retried, repeated, cut or near its timeout, and what to do about it. */
export function analyze(record: CallRecord): TraceAnalysis {
  const steps = stepsOf(record);
  const retries = retriesOf(steps);
  const repetitions = repetitionsOf(record);
  const failures = innerFailures(record, steps);
  const performance = performanceOf(record, steps);
  const findings = [
    ...callFailure(record),
    ...failures,
    ...retryFindings(retries),
    ...repetitionFindings(repetitions),
    ...timeoutFindings(record, steps),
    ...markFindings(record),
    ...slowStepFindings(slowestOf(steps), performance.totalDuration, steps.length),
  ];
  return {
    traceId: record.traceId,
    summary: summarize(record, steps, findings),
    performance,
    issues: findings.map(({ advice, ...issue }) => issue),
    recommendations: recommendationsOf(findings),
    metrics: {
      stepCount: steps.length,
      successRate: successRateOf(steps),
      // A call that failed because of a step is that one error, not two.
      errorCount: failures.length || (record.status === 'failure' ? 1 : 0),
      retryCount: sum(retries, ({ count }) => count),
      repeatedCalls: sum(repetitions, ({ count }) => count - 1),
    },
  };
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const toView = ({ stepId, stepName, durationMs }: Step) => ({ stepId, stepName, durationMs });

function performanceOf(record: CallRecord, steps: readonly Step[]): TraceAnalysis['performance'] {
  const ran = steps.filter(hasRun);
  const slowest = slowestOf(steps);
  return {
    totalDuration: record.durationMs ?? durationSoFar(record, ran),
    averageStepDuration: ran.length === 0 ? 0 : sum(ran, ({ durationMs }) => durationMs) / ran.length,
    slowestStep: slowest === undefined ? null : toView(slowest),
    criticalPath: criticalPath(steps).map(toView),
  };
}

/** A running call has lasted at least until its last step ended. */
const durationSoFar = ({ startedAt }: CallRecord, ran: readonly Step[]): number =>
  ran.reduce((latest, { endedAt }) => Math.max(latest, endedAt), startedAt) - startedAt;

/** The share of finished steps that succeeded; as long as none has finished, none has failed. */
function successRateOf(steps: readonly Step[]): number {
  const ran = steps.filter(hasRun);
  return ran.length === 0 ? 1 : ran.filter(({ status }) => status === 'success').length / ran.length;
}

/** The same advice is given once, with the gravest severity of those it is for. */
function recommendationsOf(findings: readonly Finding[]): TraceAnalysis['recommendations'] {
  const byMessage = new Map<string, TraceAnalysis['recommendations'][number]>();
  for (const { type, severity, advice } of findings) {
    const given = advice === undefined ? undefined : byMessage.get(advice);
    if (advice === undefined || (given && rankOf(given.severity) >= rankOf(severity))) continue;
    byMessage.set(advice, { type, message: advice, severity });
  }
  return [...byMessage.values()];
}

const rankOf = (severity: string): number => ['low', 'medium', 'high', 'critical'].indexOf(severity);
