import { analyze, type CallRecord, type TraceStore } from '@automatosx/trace-domain';
import { TRACE } from '../resources/traces.js';
import { expand } from '../resources/uri-template.js';
import { isoTime } from '../tools/paging.js';
import type { Prompt } from './prompt.js';
import { asData, asDataIfGiven, beginningOf, says } from './text.js';

/** So many of the newest failures are looked at, and so many of them shown. */
const LOOKED_AT = 50;
const SHOWN = 5;

const MAX_INPUT_BYTES = 2048;

/** More of the shorter text's words than this are in the other. */
const FITTING_SHARE = 0.5;

export const debugPrompts = (traces: TraceStore): Prompt[] => [
  {
    name: 'debug-assist',
    title: 'Debugging Assistance',
    description: 'Find the cause of an error, with the newest failed calls that it fits',
    arguments: [
      { name: 'error_message', description: 'The error, with its code and stack where there is one', required: true },
      { name: 'context', description: 'What was done, and what was expected instead' },
    ],
    messages: async ({ error_message = '', context }, { principal }) => {
      const failures = await fittingFailures(traces, { principal, error: error_message });
      return [
        says(
          'Please help to find the cause of the error below.',
          asData('Error', error_message),
          asDataIfGiven('Context', context),
          failures.length === 0 ? undefined : 'The newest calls of this server that failed in such a way:',
          ...failures.map(failureText),
          STEPS,
        ),
      ];
    },
  },
];

/** The newest first. */
async function fittingFailures(
  traces: TraceStore,
  { principal, error }: { principal: string; error: string },
): Promise<CallRecord[]> {
  const page = { limit: LOOKED_AT, offset: 0 };
  const { items } = await traces.list({ principal, status: 'failure', page });
  const records = await Promise.all(items.map(({ traceId }) => traces.get(principal, traceId)));
  const words = wordsOf(error);
  return records.filter((record) => record !== undefined && isFitting(record, words)).slice(0, SHOWN) as CallRecord[];
}

function isFitting({ errorCode, toolCode, errorMessage }: CallRecord, given: ReadonlySet<string>): boolean {
  const words = wordsOf(`${errorCode} ${toolCode ?? ''} ${errorMessage ?? ''}`);
  const shared = [...words].filter((word) => given.has(word)).length;
  return shared > FITTING_SHARE * Math.min(words.size, given.size);
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .slice(0, 10_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );

function failureText(record: CallRecord): string {
  const { summary, recommendations } = analyze(record);
  const told = [
    summary,
    ...recommendations.map(({ message }) => `Recommended: ${message}.`),
    `Input: ${beginningOf(record.input, MAX_INPUT_BYTES)}`,
  ];
  return asData(`${expand(TRACE, { id: record.traceId })} (${isoTime(record.startedAt)})`, told.join('\n'));
}

const STEPS = `Give
1. what the error says, in plain words,
2. the possible causes, the likeliest first, each with what speaks for and against it,
3. for each cause, the quickest check that would confirm or rule it out,
4. the change that puts the likeliest cause right, and the test that would have caught it.
Say what you are sure of, what you suppose, and what you would need to see.`;
