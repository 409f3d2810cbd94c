import type { CallRecord } from './call-record.js';
import { failureOf, failureText } from './error-findings.js';
import type { Finding } from './findings.js';
import { hasRun, type Step, slowestOf } from './steps.js';

/** One sentence on how it ended, and one on what happened inside, if anything did. */
export function summarize(record: CallRecord, steps: readonly Step[], findings: readonly Finding[]): string {
  const inside = [stepsText(steps), findingsText(findings)].filter((text) => text !== '').join('; ');
  const outcome = asSentence(outcomeText(record));
  return inside === '' ? outcome : `${outcome} ${asSentence(inside.charAt(0).toUpperCase() + inside.slice(1))}`;
}

function outcomeText(record: CallRecord): string {
  const { toolName, status, durationMs = 0, marks } = record;
  if (status === 'running') return `${toolName} is still running`;
  if (status === 'failure') return `${toolName} ${failureText(failureOf(record), durationMs)}`;
  const how = marks.replayed ? ' with the answer of an earlier call' : marks.cached ? ' from the cache' : '';
  return `${toolName} succeeded in ${Math.round(durationMs)} ms${how}`;
}

function stepsText(steps: readonly Step[]): string {
  if (steps.some(({ isCall }) => isCall)) return '';
  const ran = steps.filter(hasRun);
  const good = ran.filter(({ status }) => status === 'success').length;
  const slowest = slowestOf(steps);
  const slow =
    slowest === undefined ? '' : `, the slowest was ${slowest.stepName} with ${Math.round(slowest.durationMs)} ms`;
  return `${good} of ${ran.length} finished ${ran.length === 1 ? 'step' : 'steps'} succeeded${slow}`;
}

/** The kinds of what was found, beside the failures that are told already. */
function findingsText(findings: readonly Finding[]): string {
  const kinds = new Set(findings.map(({ type }) => type.replaceAll('_', ' ')).filter((type) => type !== 'error'));
  return kinds.size === 0 ? '' : `noticed: ${[...kinds].join(', ')}`;
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
