// pnpm conformance: runs the official suite against our server, for every revision that it knows.
// pnpm conformance --serve PORT: only starts the server that it is run against.
import {
  buildServer,
  failuresIn,
  REVISIONS,
  runScenario,
  runSuite,
  startServer,
  TASK_SCENARIOS,
} from '../tests/conformance/suite.mjs';

const [option, port] = process.argv.slice(2);
if (option !== undefined && (option !== '--serve' || !/^\d{1,5}$/.test(port ?? ''))) {
  console.error('Usage: pnpm conformance [--serve PORT]');
  process.exit(2);
}
await buildServer();
const { url, child } = await startServer({ port: port ?? 0 });
if (option === '--serve') {
  console.log(`Serving the conformance fixture at ${url}; end with Ctrl-C.`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  let failed = 0;
  const tell = (revision, scenario, checks) => {
    const failures = failuresIn(checks);
    const isGood = checks.length > 0 && failures.length === 0;
    if (!isGood) failed += 1;
    console.log(`${isGood ? 'passed' : 'FAILED'}  ${revision}  ${scenario}`);
    for (const { id, status, errorMessage } of failures) console.log(`        ${status} ${id}: ${errorMessage}`);
  };
  for (const revision of REVISIONS) {
    const { results } = await runSuite(url, revision);
    for (const [scenario, checks] of results) tell(revision, scenario, checks);
  }
  for (const scenario of TASK_SCENARIOS) tell('extension ', scenario, (await runScenario(url, scenario)).checks);
  child.kill();
  process.exit(failed === 0 ? 0 : 1);
}
