import { callParams, flood } from '../lib/load.mjs';
import { interleaved, median, medianRatio } from '../lib/statistics.mjs';
import { startReference, startServer } from '../lib/stdio-client.mjs';

const VALUE = { text: 'The build runs on two cores', tags: ['build', 'ci'], count: 3 };
const LOADS = [
  { inFlight: 64, calls: 20_000, bar: { atLeast: 0.6 }, aim: { atLeast: 1 } },
  { inFlight: 1, calls: 3000 },
];

/** A read through every layer, its trace durable before the answer, against an echo that does none of that. */
export async function measure({ rounds }) {
  const own = await startServer();
  const echo = await startReference('echo-server');
  await own.call('memory_store', { key: 'decisions/build', value: VALUE });
  const retrieve = callParams('memory_retrieve', { key: 'decisions/build' });
  const repeat = callParams('echo', { key: 'decisions/build' });
  const lines = [];
  for (const load of LOADS) {
    const { calls, inFlight } = load;
    const run = {
      own: () => flood(own, { calls, inFlight, paramsOf: () => retrieve }),
      echo: () => flood(echo, { calls, inFlight, paramsOf: () => repeat }),
    };
    await interleaved(1, run); // The compiler needs a while.
    lines.push(...linesOf(load, await interleaved(rounds, run)));
  }
  await Promise.all([own.stop(), echo.stop()]);
  return lines;
}

function linesOf({ inFlight, bar, aim }, samples) {
  const column = (name, field) => samples[name].map((sample) => sample[field]);
  const line = (field) => ({
    measured: median(column('own', field)),
    reference: median(column('echo', field)),
    ratio: medianRatio(column('own', field), column('echo', field)),
  });
  return [
    { what: `memory_retrieve over stdio, ${inFlight} in flight`, unit: 'calls/s', ...line('perSecond'), bar, aim },
    { what: `  CPU per call, ${inFlight} in flight`, unit: 'µs', ...line('cpuMicroseconds') },
  ];
}
