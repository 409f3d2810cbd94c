// Measures what the server promises, against references in the same run.
//   node bench/run.mjs [--only NAME]… [--rounds N] [--full]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { RESULTS } from './lib/paths.mjs';
import { detailsOf, tableOf, verdictOf } from './lib/report.mjs';

/** A row is a file that exports `measure({rounds, isFull})` and gives lines of the report (lib/report.mjs). */
const ROWS = [
  'own-tool',
  'own-tool-http',
  'durable-write',
  'cold-start',
  'memory-growth',
  'memory-search',
  'memory-list',
  'trace-list',
  'tool-tokens',
  'idle',
];

function parseOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: ROWS },
      rounds: { type: 'string', default: '7' },
      full: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  const unknown = values.only.find((name) => !ROWS.includes(name));
  if (unknown !== undefined) throw new Error(`--only: there is no row ${unknown}; there are ${ROWS.join(', ')}`);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds: ${values.rounds} is no number of rounds`);
  return { only: values.only, rounds, isFull: values.full };
}

async function measureRow(name, options) {
  const startedAt = performance.now();
  const { measure } = await import(`./rows/${name}.mjs`);
  const lines = await measure(options);
  console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return lines.map((line) => ({ row: name, ...line, verdict: verdictOf(line) }));
}

const options = parseOptions();
const lines = [];
for (const name of options.only) {
  try {
    lines.push(...(await measureRow(name, options)));
  } catch (error) {
    // A bar that is missed is a result; a row that cannot be measured is a fault. The others still are.
    console.error(`${name}: could not be measured:`, error);
    process.exitCode = 1;
  }
}

const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), machine, options, lines }, null, 2)}\n`);
console.log([tableOf(lines), ...lines.flatMap(detailsOf)].join('\n\n'));
process.exit();
