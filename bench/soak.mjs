// Hours of what a server must hold: sudden deaths under load, and load without end.
//   node bench/soak.mjs [--kills N] [--minutes N]     0 leaves that part out
import { parseArgs } from 'node:util';
import { crashes } from './soak/crashes.mjs';
import { endurance } from './soak/endurance.mjs';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '1000' }, minutes: { type: 'string', default: '60' } },
});
const parts = [
  { name: 'crashes', amount: Number(values.kills), run: crashes },
  { name: 'endurance', amount: Number(values.minutes), run: endurance },
];
if (parts.some(({ amount }) => !(amount >= 0))) throw new Error('--kills and --minutes take a number');

for (const { name, amount, run } of parts) {
  if (amount === 0) continue;
  const problems = await run(amount, (text) => console.log(`${name}: ${text}`));
  for (const problem of problems.slice(0, 20)) console.log(`${name}: PROBLEM ${problem}`);
  console.log(`${name}: ${problems.length === 0 ? 'held' : `FAILED, ${problems.length} problems`}`);
  if (problems.length > 0) process.exitCode = 1;
}
