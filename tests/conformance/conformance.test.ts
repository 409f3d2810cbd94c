import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NODE } from '../support/paths.js';
import { buildServer, failuresIn, runScenario, runSuite, scenariosOf, startServer, TASK_SCENARIOS } from './suite.mjs';

/** Of every revision that the suite scores. A scenario that is new there has to be added here, and then to pass. */
const SHARED = [
  'completion-complete',
  'prompts-get-embedded-resource',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-with-image',
  'prompts-list',
  'resources-list',
  'resources-read-binary',
  'resources-read-text',
  'resources-templates-read',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-error',
  'tools-call-image',
  'tools-call-mixed-content',
  'tools-call-simple-text',
  'tools-call-with-progress',
  'tools-list',
];
const HANDSHAKE = [
  'logging-set-level',
  'ping',
  'resources-subscribe',
  'resources-unsubscribe',
  'server-initialize',
  'server-session-lifecycle',
  'tools-call-elicitation',
  'tools-call-sampling',
  'tools-call-with-logging',
];
const SINCE_2025_11_25 = ['dns-rebinding-protection', 'json-schema-2020-12', 'server-sse-multiple-streams'];

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2025-06-18': [...SHARED, ...HANDSHAKE],
  '2025-11-25': [
    ...SHARED,
    ...HANDSHAKE,
    ...SINCE_2025_11_25,
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'server-sse-polling',
  ],
  '2026-07-28': [
    ...SHARED,
    ...SINCE_2025_11_25,
    'caching',
    'http-custom-header-server-validation',
    'http-header-validation',
    'input-required-result-basic-elicitation',
    'input-required-result-basic-list-roots',
    'input-required-result-basic-sampling',
    'input-required-result-capability-check',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-multi-round',
    'input-required-result-multiple-input-requests',
    'input-required-result-non-tool-request',
    'input-required-result-request-state',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'sep-2164-resource-not-found',
    'server-stateless',
  ],
};

let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  await buildServer();
  server = await startServer({ node: NODE });
}, 60_000);
afterAll(() => void server.child.kill());

describe.each(Object.entries(SCENARIOS))('the official conformance suite, %s', (revision, scenarios) => {
  let run: Awaited<ReturnType<typeof runSuite>>;
  beforeAll(async () => {
    run = await runSuite(server.url, revision);
  }, 180_000);

  test('has no scenario that is not named here', async () => {
    expect([...(await scenariosOf(revision))].sort()).toEqual([...scenarios].sort());
  });

  test.each(scenarios)('%s', (scenario) => {
    const checks = run.results.get(scenario) ?? [];
    expect(checks.length, run.output.slice(-2000)).toBeGreaterThan(0);
    expect(failuresIn(checks).map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([]);
  });
});

describe('the official conformance suite, tasks', () => {
  test.each(TASK_SCENARIOS)('%s', { timeout: 60_000 }, async (scenario) => {
    const { checks, output } = await runScenario(server.url, scenario);
    expect(checks.length, output.slice(-2000)).toBeGreaterThan(0);
    expect(failuresIn(checks).map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([]);
  });
});
