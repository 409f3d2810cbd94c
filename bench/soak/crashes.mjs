import { temporaryFolder } from '../lib/paths.mjs';
import { startServer } from '../lib/stdio-client.mjs';
import { queryFile } from '../lib/storage.mjs';
import { Ledger } from './ledger.mjs';
import { checkAll, liveAndDie } from './writer.mjs';

/** Long enough to start, to be checked and to be written to; short enough that many die while they start. */
const LONGEST_LIFE_MS = 1500;
const KEYS = 200;
const REPORT_EVERY = 50;

/** Two servers on one data folder, each killed and started again and again under load. */
export async function crashes(kills, report) {
  const home = temporaryFolder('crashes');
  const ledgers = [new Ledger('one', KEYS), new Ledger('two', KEYS)];
  const seen = { kills: 0, checks: 0, failures: [] };
  const tell = () => {
    const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
    const lost = ledgers.flatMap((ledger) => ledger.lost);
    report(`${seen.kills} kills, ${seen.checks} checks, ${acknowledged} acknowledged writes, ${lost.length} lost`);
  };
  const kill = async (ledger) => {
    while (seen.kills < kills) {
      seen.kills += 1;
      const { isChecked, failures } = await liveAndDie({ home, ledger, lifeMs: Math.random() * LONGEST_LIFE_MS });
      if (isChecked) seen.checks += 1;
      seen.failures.push(...failures);
      if (seen.kills % REPORT_EVERY === 0) tell();
    }
  };
  await Promise.all(ledgers.map(kill));
  for (const ledger of ledgers) seen.failures.push(...(await checkAll(home, ledger)));
  tell();
  return [
    ...ledgers.flatMap((ledger) => ledger.lost),
    ...seen.failures,
    ...(await checkTotals(home, ledgers)),
    ...checkFile(home),
  ];
}

/** The counters and the search index were written by processes that died too. */
async function checkTotals(home, ledgers) {
  const client = await startServer(home);
  const problems = [];
  for (const { namespace, present } of ledgers) {
    const listed = await client.call('memory_list', { namespace, limit: 1 });
    const found = await client.call('memory_search', { namespace, query: 'key-', limit: 1 });
    if (listed.total !== present) problems.push(`memory_list counts ${listed.total} in ${namespace}, not ${present}`);
    if (found.total !== present) problems.push(`memory_search finds ${found.total} in ${namespace}, not ${present}`);
  }
  const running = await client.call('trace_list', { status: 'running', limit: 1 });
  if (running.total > 0) problems.push(`${running.total} traces of dead processes still run`);
  await client.stop();
  return problems;
}

function checkFile(home) {
  const problems = queryFile(home, 'PRAGMA integrity_check')
    .map((row) => row.integrity_check)
    .filter((result) => result !== 'ok');
  const [counted] = queryFile(
    home,
    'SELECT (SELECT count(*) FROM traces) AS traces, (SELECT sum(entries) FROM trace_counts) AS entries',
  );
  if (counted.traces !== counted.entries) problems.push(`${counted.traces} traces are counted as ${counted.entries}`);
  return problems;
}
