import { residentMegabytes } from '../lib/process-usage.mjs';
import { median } from '../lib/statistics.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const IDLE_MS = 2000;

/** What a server costs that nobody calls, and how fast it goes when it is told to. */
export async function measure({ rounds }) {
  const samples = [];
  for (let round = 0; round < rounds; round++) samples.push(await idleServer());
  const column = (field) => median(samples.map((sample) => sample[field]));
  return [
    {
      what: 'resident memory, idle',
      unit: 'MB',
      measured: column('megabytes'),
      bar: { atMost: 90 },
      aim: { atMost: 70 },
    },
    {
      what: 'stop after SIGTERM, idle',
      unit: 'ms',
      measured: column('stopMs'),
      bar: { atMost: 500 },
      aim: { atMost: 150 },
    },
  ];
}

async function idleServer() {
  const client = await startServer();
  await client.request('tools/list', {});
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const megabytes = residentMegabytes(client.pid);
  return { megabytes, stopMs: await client.stop('SIGTERM') };
}
