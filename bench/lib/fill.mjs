import { withStorage } from './storage.mjs';

/** What is written in one turn of the event loop shares a transaction. */
const BATCH = 2000;

const AREAS = ['billing', 'search', 'gateway', 'mobile', 'reports', 'accounts', 'imports', 'alerts'];
/** Three keys hold it, however many there are. */
export const RARE_WORD = 'zwölfyk';
/** The end of one key in the middle: each three digits of it stand in many others. */
export const rareDigits = (entries) => digitsOf(entries >> 1).slice(2);

/** Eight digits in no order, as keys made of numbers and hashes have them. */
const digitsOf = (index) => (Math.imul(index, 2654435761) >>> 0).toString(16).padStart(8, '0');

/** Writes so many entries as `memory_store` would. */
export const fillMemory = (home, entries) =>
  withStorage(home, async (database, { sqliteMemoryStore }) => {
    const store = sqliteMemoryStore(database, Date.now);
    await inBatches(entries, (index) => store.put(entryOf(index, entries)));
  });

function entryOf(index, entries) {
  const isRare = index % Math.ceil(entries / 3) === 7;
  const area = AREAS[index % AREAS.length];
  const words = `Decision ${index} about ${area}`;
  const json = JSON.stringify({ text: words });
  const key = `${area}/${isRare ? RARE_WORD : 'item'}/${digitsOf(index)}`;
  return { namespace: `team-${index % 5}`, key, json, sizeBytes: json.length, words };
}

const TOOLS = ['memory_retrieve', 'memory_store', 'memory_search', 'session_status', 'config_get'];
/** One trace in a hundred is of this tool, and one in a hundred is a failure: a page of ten is full even among few. */
export const RARE_TOOL = 'session_fail';

/** Writes so many finished calls. */
export const fillTraces = (home, traces) =>
  withStorage(home, async (database, { sqliteTraceStore }) => {
    const store = sqliteTraceStore(database, Date.now);
    await inBatches(traces, (index) => store.record(recordOf(index, store.nextId())));
  });

function recordOf(index, traceId) {
  const toolName = index % 100 === 3 ? RARE_TOOL : TOOLS[index % TOOLS.length];
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

async function inBatches(count, write) {
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    await Promise.all(Array.from({ length }, (_, offset) => write(start + offset)));
    await new Promise(setImmediate); // The next turn: the last one's transaction is over.
  }
}
