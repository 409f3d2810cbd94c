import type { TraceStore } from '@automatosx/trace-domain';
import { COMPLETIONS, collection, jsonResources, NEWEST, type Route } from './json-resources.js';
import type { ResourceSource } from './resource.js';
import { toTrace, toTraceHead } from './trace-view.js';

export const TRACE = 'traces://{id}';

/** The traces of the principal's own calls; others' are as if they were not there. */
export const traceResources = (traces: TraceStore): ResourceSource => {
  const one: Pick<Route, 'description' | 'read' | 'stamp' | 'complete'> = {
    description: 'One of your traces, with its events',
    read: async ({ id = '' }, principal) => {
      const record = await traces.get(principal, id);
      return record && toTrace(record);
    },
    // It is written when it begins and when it ends, and not changed afterwards.
    stamp: async ({ id = '' }, principal) => (await traces.get(principal, id))?.status ?? 'none',
    complete: ({ typed, principal }) => traces.ids({ principal, prefix: typed, limit: COMPLETIONS }),
  };
  return jsonResources([
    {
      uri: 'traces://recent',
      name: 'Recent Traces',
      description: 'Your newest traces, without their events',
      read: async (_names, principal) =>
        collection('traces', await traces.list({ principal, page: NEWEST }), toTraceHead),
      stamp: (_names, principal) => newestStamp(traces, principal),
    },
    { ...one, uri: TRACE, name: 'Trace' },
    { ...one, uri: 'traces://recent/{id}', name: 'Recent Trace' },
  ]);
};

/** Traces are added, end, and are removed when they are old: the newest one, those that run, and their number tell. */
async function newestStamp(traces: TraceStore, principal: string): Promise<string> {
  const page = { limit: 1, offset: 0 };
  const [all, running] = await Promise.all([
    traces.list({ principal, page }),
    traces.list({ principal, status: 'running', page }),
  ]);
  return `${all.items[0]?.traceId ?? 'none'}.${all.total}.${running.total}`;
}
