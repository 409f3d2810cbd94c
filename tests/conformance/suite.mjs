// Builds the server that the official conformance suite is run against, and runs the suite.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const server = join(root, 'packages/mcp-server/.cache/conformance-server.js');
const runner = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const preload = pathToFileURL(join(root, 'tests/conformance/preload.mjs')).href;

export const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

/**
 * Scenarios of the tasks extension; the suite does not score them. Left out are those that need a tool which refuses
 * clients without tasks, or one that fails with an error of the protocol: we have no such tools.
 */
export const TASK_SCENARIOS = [
  'tasks-capability-negotiation',
  'tasks-dispatch-and-envelope',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-request-state-removal',
  'tasks-status-notifications',
  'tasks-wire-fields',
];

export const buildServer = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['tests/conformance/server.ts'],
    outfile: server,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['libsql', 'ws', 'jose'],
    logLevel: 'warning',
  });

/** Starts the server; resolves with its address once it listens. */
export async function startServer({ port = 0, node = process.execPath } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'conformance-'));
  const words = [server, '--transport', 'http', '--port', String(port), '--home', home, '--workspace', home];
  const child = spawn(node, words, { stdio: ['ignore', 'inherit', 'pipe'] });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      const found = /Serving MCP at (\S+\/mcp)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
  return { url, child };
}

function run(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, runner, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('exit', () => resolve(output));
  });
}

/** The names of all scenarios of a revision. */
export async function scenariosOf(revision) {
  const output = await run(['list', '--server', '--spec-version', revision]);
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

/** Runs every scenario of a revision and gives its checks by scenario. */
export async function runSuite(url, revision) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-results-'));
  const output = await run(['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', folder]);
  const scenarios = await scenariosOf(revision);
  return { output, results: new Map(scenarios.map((name) => [name, checksIn(folder, name)])) };
}

/** Runs one scenario of an extension, which belongs to no revision, and gives its checks. */
export async function runScenario(url, scenario) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-results-'));
  const output = await run(['server', '--url', url, '--scenario', scenario, '-o', folder]);
  return { output, checks: checksIn(folder, scenario) };
}

/** Each scenario leaves a folder that bears its name and the time. */
function checksIn(folder, scenario) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    new RegExp(`(^|[\\\\/])(server-)?${scenario}-\\d{4}-[^\\\\/]*[\\\\/]checks\\.json$`).test(path),
  );
  return found.flatMap((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')));
}

export const failuresIn = (checks) => checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
