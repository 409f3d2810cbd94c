// Measures what the server promises (the table in docs) against references in the same run.
//   node bench/run.mjs [--only NAME]… [--rounds N] [--full]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { RESULTS } from './lib/paths.mjs';
import { tableOf, verdictOf } from './lib/report.mjs';

/** A row is a file that exports `measure({rounds, isFull})` and gives lines of the report. */
const ROWS = ['own-tool'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ROWS },
    rounds: { type: 'string', default: '7' },
    full: { type: 'boolean', default: false },
  },
});
const options = { rounds: Number(values.rounds), isFull: values.full };

const lines = [];
for (const name of values.only) {
  const startedAt = performance.now();
  const { measure } = await import(`./rows/${name}.mjs`);
  const measured = await measure(options);
  lines.push(...measured.map((line) => ({ row: name, ...line })));
  console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
console.log(tableOf(lines));
