import { callParams, flood } from '../lib/load.mjs';
import { interleaved, median } from '../lib/statistics.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const CALLS = 10_000;
const KEYS = 1000;

/** `memory_store` with its trace, both durable before the answer: keys that are new, and keys that are written over. */
export async function measure({ rounds }) {
  const client = await startServer();
  let written = 0;
  const store = (keyOf) => () =>
    flood(client, {
      calls: CALLS,
      inFlight: 64,
      paramsOf: () => callParams('memory_store', { key: keyOf(written++), value: { text: 'two cores' } }),
    });
  const run = {
    'new keys': store((index) => `new/${index}`),
    'keys written over': store((index) => `old/${index % KEYS}`),
  };
  await interleaved(1, run);
  const samples = await interleaved(rounds, run);
  await client.stop();
  return Object.entries(samples).flatMap(([what, rates]) => [
    {
      what: `memory_store, ${what}, 64 in flight`,
      unit: 'calls/s',
      measured: median(rates.map((rate) => rate.perSecond)),
    },
    { what: '  CPU per call', unit: 'µs', measured: median(rates.map((rate) => rate.cpuMicroseconds)) },
  ]);
}
