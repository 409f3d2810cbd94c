/** What examples need to be there. */
export interface ExampleIds {
  readonly sessionId: string;
  readonly otherSessionId: string;
  readonly traceId: string;
}

type Input = Record<string, unknown>;

/** A valid call of every tool, in an order in which each finds what it needs; a tool without one fails the tests. */
export const EXAMPLES: Readonly<Record<string, Input | ((ids: ExampleIds) => Input)>> = {
  memory_store: { key: 'example', value: { text: 'hello' } },
  memory_retrieve: { key: 'example' },
  memory_search: { query: 'examp' },
  memory_list: { namespace: 'default' },
  memory_delete: { key: 'gone' },
  memory_bulk_delete: { keys: ['gone', 'also gone'] },
  session_create: { initiator: 'lead', task: 'Try every tool' },
  session_status: ({ sessionId }) => ({ sessionId }),
  session_list: { status: 'active' },
  session_join: ({ sessionId }) => ({ sessionId, agentId: 'helper' }),
  session_leave: ({ sessionId }) => ({ sessionId, agentId: 'helper' }),
  session_complete: ({ sessionId }) => ({ sessionId, summary: 'All tried' }),
  session_fail: ({ otherSessionId }) => ({ sessionId: otherSessionId, error: { code: 'E', message: 'on purpose' } }),
  trace_list: { limit: 5 },
  trace_get: ({ traceId }) => ({ traceId }),
  trace_analyze: ({ traceId }) => ({ traceId }),
  config_get: { path: 'limits.pageSize' },
  config_set: { path: 'limits.pageSize', value: 50 },
  config_show: {},
};

export const EXAMPLE_NAMES = Object.keys(EXAMPLES);

/** The call of one tool, with ids of what was made for it. */
export function exampleOf(name: string, ids: ExampleIds): Input {
  const example = EXAMPLES[name];
  return typeof example === 'function' ? example(ids) : (example ?? {});
}

/** Calls a tool and gives its data. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type CallData = (name: string, input: Input) => Promise<any>;

/** Makes what the examples need: two of them end a session, so each run wants fresh ones. */
export async function freshIds(data: CallData): Promise<ExampleIds> {
  const { sessionId } = await data('session_create', { initiator: 'lead', task: 'one' });
  const { sessionId: otherSessionId } = await data('session_create', { initiator: 'lead', task: 'two' });
  const { traces } = await data('trace_list', {});
  return { sessionId, otherSessionId, traceId: traces[0].traceId };
}
