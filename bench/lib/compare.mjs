import { latencies } from './load.mjs';
import { interleaved, median, medianRatio } from './statistics.mjs';

/** Calls before those that count: statements are prepared, pages read, code compiled. */
const WARM_UP = 50;

/**
 * How long one call takes against another, one at a time. Both are `{client, params}`; the figure of a round is the
 * median of its calls, because a single call on a busy machine may take any time.
 */
export async function compareLatency({ rounds, calls = 60 }, measured, reference) {
  const timeOf = async ({ client, params }, count) => median(await latencies(client, count, params));
  const run = (count) => ({ measured: () => timeOf(measured, count), reference: () => timeOf(reference, count) });
  await interleaved(1, run(WARM_UP));
  const samples = await interleaved(rounds, run(calls));
  return {
    unit: 'ms',
    measured: median(samples.measured),
    reference: median(samples.reference),
    ratio: medianRatio(samples.measured, samples.reference),
  };
}
