import { compareLatency } from '../lib/compare.mjs';
import { fillMemory, RARE_WORD, rareDigits } from '../lib/fill.mjs';
import { callParams } from '../lib/load.mjs';
import { temporaryFolder } from '../lib/paths.mjs';
import { inThousands, manyEntries } from '../lib/sizes.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const FEW = 10_000;

/** A substring of the key that few entries have, among many keys against among few. */
export async function measure({ rounds, isFull }) {
  const many = manyEntries(isFull);
  const large = { entries: many, client: await filledServer(many) };
  const small = { entries: FEW, client: await filledServer(FEW) };
  const queries = [
    { what: 'of a word', queryOf: () => RARE_WORD },
    { what: 'of 6 digits', queryOf: rareDigits },
    { what: 'in values, of a number', queryOf: (entries) => String(entries >> 1), in: 'value' },
  ];
  const lines = [];
  for (const { what, queryOf, in: where = 'key' } of queries) {
    const asked = ({ client, entries }) => ({
      client,
      params: callParams('memory_search', { query: queryOf(entries), in: where }),
    });
    lines.push({
      what: `memory_search ${what}, ${inThousands(many)} keys / ${inThousands(FEW)}`,
      ...(await compareLatency({ rounds }, asked(large), asked(small))),
      bar: { atMost: 5 },
      aim: { atMost: 2 },
    });
  }
  await Promise.all([large.client.stop(), small.client.stop()]);
  return lines;
}

async function filledServer(entries) {
  const home = temporaryFolder('memory');
  await fillMemory(home, entries);
  return startServer(home);
}
