import { compareLatency } from '../lib/compare.mjs';
import { fillTraces, RARE_TOOL } from '../lib/fill.mjs';
import { callParams } from '../lib/load.mjs';
import { temporaryFolder } from '../lib/paths.mjs';
import { inThousands, manyEntries } from '../lib/sizes.mjs';
import { startServer } from '../lib/stdio-client.mjs';

const FEW = 1000;

const FILTERS = [
  { what: 'of all' },
  { what: 'of a tool', toolName: 'memory_store' },
  { what: 'of failures', status: 'failure' },
  { what: 'of successes', status: 'success' },
  { what: "of a tool's failures", toolName: 'memory_retrieve', status: 'failure' },
  { what: "of a tool's failures, none", toolName: 'memory_store', status: 'failure' },
  { what: "of a rare tool's successes", toolName: RARE_TOOL, status: 'success' },
  { what: 'of a workspace', workspace: '/projects/1' },
  { what: 'of an unknown workspace', workspace: '/projects/none' },
];

/** The newest traces among many against among few. */
export async function measure({ rounds, isFull }) {
  const many = manyEntries(isFull);
  const large = await filledServer(many);
  const small = await filledServer(FEW);
  const lines = [];
  for (const { what, ...filter } of FILTERS) {
    const asked = (client) => ({ client, params: callParams('trace_list', { ...filter, limit: 10 }) });
    lines.push({
      what: `trace_list ${what}, ${inThousands(many)} traces / ${inThousands(FEW)}`,
      ...(await compareLatency({ rounds, calls: 30 }, asked(large), asked(small))),
      bar: { atMost: 2 },
      aim: { atMost: 1.1 }, // 1, and what two equal calls differ by here.
    });
  }
  await Promise.all([large.stop(), small.stop()]);
  return lines;
}

async function filledServer(traces) {
  const home = temporaryFolder('traces');
  await fillTraces(home, traces);
  return startServer(home);
}
