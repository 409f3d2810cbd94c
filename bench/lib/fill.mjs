import { withStorage } from './storage.mjs';

/** What is written in one turn of the event loop shares a transaction. */
const BATCH = 2000;

const AREAS = ['billing', 'search', 'gateway', 'mobile', 'reports', 'accounts', 'imports', 'alerts'];
/** Three keys hold it, however many there are. */
export const RARE_WORD = 'zwölfyk';
/** The digits of one key in the middle: each three of them stand in many others. */
export const rareNumber = (entries) => String(entries >> 1).padStart(8, '0');

/** Writes so many entries as `memory_store` would. */
export const fillMemory = (home, entries) =>
  withStorage(home, async (database, { sqliteMemoryStore }) => {
    const store = sqliteMemoryStore(database, Date.now);
    await inBatches(database, entries, (index) => store.put(entryOf(index, entries)));
  });

function entryOf(index, entries) {
  const isRare = index % Math.ceil(entries / 3) === 7;
  const area = AREAS[index % AREAS.length];
  const words = `Decision ${index} about ${area}`;
  const json = JSON.stringify({ text: words });
  const key = `${area}/${isRare ? RARE_WORD : 'item'}/${String(index).padStart(8, '0')}`;
  return { namespace: `team-${index % 5}`, key, json, sizeBytes: json.length, words };
}

const TOOLS = ['memory_retrieve', 'memory_store', 'memory_search', 'session_status', 'config_get'];
/** One trace in a thousand is of this tool. */
export const RARE_TOOL = 'session_fail';

/** Writes so many finished calls, every hundredth a failure. */
export const fillTraces = (home, traces) =>
  withStorage(home, async (database, { sqliteTraceStore }) => {
    const store = sqliteTraceStore(database, Date.now);
    await inBatches(database, traces, (index) => store.record(recordOf(index, store.nextId())));
  });

function recordOf(index, traceId) {
  const toolName = index % 1000 === 3 ? RARE_TOOL : TOOLS[index % TOOLS.length];
  const isFailure = index % 100 === 50;
  return {
    traceId,
    toolName,
    workflowId: `mcp.tool.${toolName}`,
    status: isFailure ? 'failure' : 'success',
    startedAt: Date.now(),
    durationMs: 1,
    principal: 'user',
    workspace: `/projects/${index % 3}`,
    correlationId: traceId,
    errorCode: isFailure ? 'INVALID_INPUT' : undefined,
    errorMessage: isFailure ? 'key: is required' : undefined,
    input: '{"key":"decisions/build","namespace":"default"}',
    output: '{"success":true,"data":{"found":true,"key":"decisions/build","namespace":"default","value":"two cores"}}',
    steps: [],
    marks: {},
  };
}

async function inBatches(database, count, write) {
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    await Promise.all(Array.from({ length }, (_, offset) => write(start + offset)));
    await database.idle();
  }
}
