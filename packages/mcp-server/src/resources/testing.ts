import { type NewEntry, toNewEntry } from '@automatosx/memory-domain';
import {
  openDatabase,
  sqliteChanges,
  sqliteMemoryStore,
  sqliteSessionStore,
  sqliteTraceStore,
} from '@automatosx/storage';
import type { CallRecord } from '@automatosx/trace-domain';
import type { RequestContext } from '../protocol/request.js';
import type { ResourceSource } from './resource.js';

const NOON = Date.UTC(2026, 0, 1, 12);

/** For tests: stores on a database of their own, closed when the test is, and the time that they go by. */
export function emptyStores(onTestFinished: (close: () => Promise<void>) => void) {
  const database = openDatabase({ file: ':memory:', synchronous: () => 'normal' });
  onTestFinished(() => database.close());
  const clock = { now: NOON };
  const now = () => clock.now;
  const memory = sqliteMemoryStore(database, now);
  const traces = sqliteTraceStore(database, now);
  return {
    clock,
    memory,
    traces,
    sessions: sqliteSessionStore(database),
    changes: sqliteChanges(database),
    put: (key: string, value: unknown = 1, rest: Partial<NewEntry> = {}) =>
      memory.put({ ...toNewEntry({ namespace: 'default', key, value }), ...rest }),
    /** Keeps a call that went well, unless told otherwise, and gives its id. */
    call: async (rest: Partial<CallRecord> = {}): Promise<string> => {
      const traceId = traces.nextId();
      const record: CallRecord = {
        traceId,
        toolName: 'memory_store',
        workflowId: 'mcp.tool.memory_store',
        status: 'success',
        startedAt: clock.now,
        durationMs: 5,
        principal: 'user',
        workspace: '/work',
        correlationId: 'correlation',
        input: '{"key":"k"}',
        output: '{"success":true}',
        steps: [],
        marks: {},
        ...rest,
      };
      await traces[record.status === 'running' ? 'begin' : 'record'](record);
      return record.traceId;
    },
  };
}

/** A request, as far as resources and prompts look at it. */
export const asked = (principal = 'user') => ({ principal }) as RequestContext;

/** What is read there, or undefined where nothing is. */
export async function readIn(source: ResourceSource, uri: string, principal = 'user') {
  const contents = await source.read(uri, asked(principal));
  const [first] = contents ?? [];
  return first && 'text' in first ? JSON.parse(first.text) : undefined;
}
