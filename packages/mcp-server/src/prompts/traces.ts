import { analyze, type TraceStore, toEvents } from '@automatosx/trace-domain';
import { COMPLETIONS } from '../resources/json-resources.js';
import { toTrace } from '../resources/trace-view.js';
import { TRACE } from '../resources/traces.js';
import { expand } from '../resources/uri-template.js';
import { noSuch } from './no-such.js';
import type { Prompt } from './prompt.js';
import { asData, embeds, says } from './text.js';

export const tracePrompts = (traces: TraceStore): Prompt[] => [
  {
    name: 'analyze_trace',
    title: 'Analyze Trace',
    description: 'Analyze a trace: what happened, what was slow or failed, and what to do about it',
    arguments: [{ name: 'traceId', description: 'The ID of the trace to analyze', required: true }],
    messages: async ({ traceId = '' }, { principal }) => {
      const record = (await traces.get(principal, traceId)) ?? noSuch('trace', { traceId });
      const events = toEvents(record).map(({ type, timestamp, status }) =>
        [timestamp, type, status].join(' ').trimEnd(),
      );
      return [
        says(
          `Please analyze the trace '${record.traceId}', a call of ${record.toolName}. The whole of it follows as a resource.`,
          asData('Events', events.join('\n')),
          asData('What the server found', JSON.stringify(analyze(record), undefined, 2)),
          STEPS,
        ),
        embeds(expand(TRACE, { id: record.traceId }), toTrace(record)),
      ];
    },
    complete: async ({ typed, principal }) => traces.ids({ principal, prefix: typed, limit: COMPLETIONS }),
  },
];

const STEPS = `Tell
1. in two sentences what was called, with what, and how it ended,
2. what failed, was retried or repeated, and why,
3. where the time went,
4. what to change: the call's arguments, the settings, or the code; the most useful first.`;
