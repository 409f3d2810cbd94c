import { compareLatency } from '../lib/compare.mjs';
import { fillMemory } from '../lib/fill.mjs';
import { callParams } from '../lib/load.mjs';
import { temporaryFolder } from '../lib/paths.mjs';
import { inThousands, manyEntries } from '../lib/sizes.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const PAGE = 1000;
/** Small enough that there are a thousand pages of what each filter lets through. */
const LIMIT = 20;

const FILTERS = [
  { what: '' },
  { what: ' of a namespace', namespace: 'team-3' },
  { what: ' of a prefix', prefix: 'billing/' },
];

/** The thousandth page by its cursor against the first one. */
export async function measure({ rounds, isFull }) {
  const home = temporaryFolder('memory');
  const entries = manyEntries(isFull);
  await fillMemory(home, entries);
  const client = await startServer(home);
  const lines = [];
  for (const { what, ...filter } of FILTERS) {
    const asked = (input) => ({ client, params: callParams('memory_list', { ...filter, limit: LIMIT, ...input }) });
    const cursor = await cursorOf(client, filter);
    lines.push({
      what: `memory_list${what}, page 1,000 / page 1, ${inThousands(entries)} keys`,
      ...(await compareLatency({ rounds }, asked({ cursor }), asked({}))),
      bar: { atMost: 2 },
      aim: { atMost: 1.1 }, // 1, and what two equal calls differ by here.
    });
  }
  await client.stop();
  return lines;
}

/** The page before is asked for by counting, which is slow and done once. */
async function cursorOf(client, filter) {
  const offset = (PAGE - 2) * LIMIT;
  const { nextCursor } = await client.call('memory_list', { ...filter, limit: LIMIT, offset });
  return nextCursor;
}
