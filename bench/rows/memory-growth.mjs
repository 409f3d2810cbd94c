import { callParams, flood } from '../lib/load.mjs';
import { residentMegabytes } from '../lib/process-usage.mjs';
import { inThousands } from '../lib/sizes.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const FEW = 10_000;
const KEYS = 100;

/** Resident memory after many calls against after few: what is kept of a call must be on the disk. */
export async function measure({ isFull }) {
  const many = isFull ? 1_000_000 : 200_000;
  const client = await startServer();
  await flood(client, { calls: FEW, inFlight: 64, paramsOf });
  const before = await settledMegabytes(client);
  await flood(client, { calls: many - FEW, inFlight: 64, paramsOf });
  const after = await settledMegabytes(client);
  await client.stop();
  return [
    {
      what: `resident memory after ${inThousands(many)} calls / ${inThousands(FEW)}`,
      unit: 'MB',
      measured: after,
      reference: before,
    },
    { what: '  growth', unit: 'MB', measured: after - before, bar: { atMost: 20 }, aim: { atMost: 2 } },
  ];
}

/** Every tenth call writes. */
function paramsOf(index) {
  const key = `keys/${index % KEYS}`;
  return index % 10 === 0
    ? callParams('memory_store', { key, value: { index, text: 'two cores' } })
    : callParams('memory_retrieve', { key });
}

/** The collector has run by then. */
async function settledMegabytes({ pid }) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return residentMegabytes(pid);
}
