import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callParams } from '../lib/load.mjs';
import { temporaryFolder } from '../lib/paths.mjs';
import { openDescriptors, residentMegabytes } from '../lib/process-usage.mjs';
import { countLines, requestLine, startServer } from '../lib/stdio-client.mjs';

const IN_FLIGHT = 32;
const MAX_GROWTH_MEGABYTES = 100;
/** A database file has two companions, and one more of each may be open for a moment. */
const MAX_MORE_DESCRIPTORS = 5;
/** Reached within minutes, so that removing old traces is part of the load. */
const TRACE_BYTES = 50_000_000;
const SAMPLES = 60;

/** Load of every kind for so many minutes: nothing may pile up in memory or stay open. */
export async function endurance(minutes, report) {
  const home = temporaryFolder('endurance');
  writeFileSync(join(home, 'config.json'), JSON.stringify({ trace: { maxBytes: TRACE_BYTES } }));
  const client = await startServer(home);
  const load = startLoad(client);
  const samples = [];
  for (let count = 0; count < SAMPLES; count++) {
    await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / SAMPLES));
    const sample = { megabytes: residentMegabytes(client.pid), descriptors: openDescriptors(client.pid) };
    samples.push(sample);
    report(`${load.answered()} calls, ${sample.megabytes.toFixed(0)} MB, ${sample.descriptors} descriptors`);
  }
  await load.stop();
  await client.stop();
  return problemsOf(samples);
}

/** The first tenth is for warming up: code is compiled, caches fill. */
function problemsOf(samples) {
  const [first, ...later] = samples.slice(SAMPLES / 10);
  const most = (field) => Math.max(...later.map((sample) => sample[field])) - first[field];
  const problems = [];
  if (!(most('megabytes') < MAX_GROWTH_MEGABYTES)) problems.push(`Memory grew by ${most('megabytes').toFixed(0)} MB`);
  if (!(most('descriptors') <= MAX_MORE_DESCRIPTORS)) problems.push(`${most('descriptors')} more descriptors are open`);
  return problems;
}

/** Keeps calls under way until it is stopped. Answers are counted; failures are part of the load. */
function startLoad(client) {
  let sent = 0;
  let answered = 0;
  let isStopping = false;
  const send = (count) => {
    let text = '';
    for (let open = count; open > 0; open--) text += requestLine(sent, 'tools/call', paramsOf(sent++));
    client.write(text);
  };
  const ended = client.receive((chunk) => {
    const lines = countLines(chunk);
    answered += lines;
    if (!isStopping) send(lines);
    return answered === sent;
  });
  send(IN_FLIGHT);
  return {
    answered: () => answered,
    stop: () => {
      isStopping = true;
      return ended;
    },
  };
}

/** Mostly reads and writes, now and then what is slow, large, wrong or unknown. */
function paramsOf(index) {
  const key = `keys/${index % 997}`;
  if (index % 1000 === 1) return callParams('session_create', { initiator: 'soak', task: `Task ${index}` });
  if (index % 200 === 2) return callParams('memory_search', { query: String(index % 997) });
  if (index % 200 === 3) return callParams('trace_list', { toolName: 'memory_store' });
  if (index % 200 === 4) return callParams('memory_list', { prefix: 'keys/9', limit: 50 });
  if (index % 200 === 5) return callParams('memory_store', { key, value: 'x'.repeat(90_000) });
  if (index % 100 === 6) return callParams('memory_store', { key: '', value: 1 });
  if (index % 100 === 7) return callParams('no_such_tool', {});
  if (index % 100 === 8) return callParams('config_show', {});
  if (index % 20 === 9) return callParams('memory_delete', { key });
  return index % 4 === 0
    ? callParams('memory_store', { key, value: { index }, ttlMs: 60_000 })
    : callParams('memory_retrieve', { key });
}
