import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startHttpServer } from '../support/http-server.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { run } from '../support/run.js';
import { linesOf, started } from '../support/started.js';

const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/mcp-server/package.json'), 'utf8'));

const SESSION = linesOf(
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'memory_store', arguments: { key: 'a', value: 1 } } },
);

const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, text);
  return file;
};

test('--help tells every option with an example, and nothing is served', async () => {
  const { code, stdout, stderr } = await run(['--help'], { env: { AUTOMATOSX_DATABASE_URL: 'postgres://x' } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const word of ['--home', '--workspace', '--config', '--tools', '--log-level', '--transport', 'mcpServers']) {
    expect(stdout).toContain(word);
  }
  expect(await run(['-h'])).toEqual({ code: 0, stdout, stderr: '' });
});

test('--version tells the version', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe('wrong use ends with code 2 and words that help', () => {
  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['an unknown option', ['--tols', 'all'], {}, /--tols.*did you mean --tools\?.*--help/],
    ['an option that is like none', ['--frobnicate'], {}, /--frobnicate.*--help/],
    ['an option without its value', ['--home'], {}, /--home.*missing/],
    ['an argument', ['serve'], {}, /serve.*--help/],
    ['an unknown tool', ['--tools', 'memory_stroe'], {}, /--tools.*memory_stroe.*did you mean memory_store\?/],
    ['one unknown tool among others', ['--tools', 'memory_store,nothing_like_it'], {}, /no tool nothing_like_it/],
    ['an unknown transport', ['--transport', 'pigeon'], {}, /--transport.*pigeon.*stdio and http/],
    ['a port without HTTP', ['--port', '1'], {}, /--port is for --transport http/],
    ['no port', ['--transport', 'http', '--port', '70000'], {}, /--port: 70000 is not a number/],
    ['an open door', ['--transport', 'http', '--port', '0', '--host', '0.0.0.0'], {}, /0\.0\.0\.0 .*AUTOMATOSX_TOKEN/],
    ['an unknown log level', ['--log-level', 'loud'], {}, /--log-level.*loud.*silent, error, warn, info, debug/],
    ['an unknown log level in the environment', [], { AUTOMATOSX_LOG: 'loud' }, /: AUTOMATOSX_LOG: loud/],
    ['a workspace that is not there', ['--workspace', '/nowhere/at/all'], {}, /--workspace: .*\/nowhere\/at\/all/],
    ['a workspace that is a file', ['--workspace', BIN], {}, /--workspace: there is no folder .*bin\.js/],
    ['a home that is a file', ['--home', BIN], {}, /--home: .*bin\.js is not a folder/],
    ['the same by the environment', [], { AUTOMATOSX_HOME: BIN }, /: AUTOMATOSX_HOME: .*bin\.js is not a folder/],
    ['no tools', ['--tools', ''], {}, /--tools: the value is empty/],
    ['another database', [], { AUTOMATOSX_DATABASE_URL: 'postgres://me:word@host/db' }, /AUTOMATOSX_DATABASE_URL/],
    [
      'a file that is not there',
      ['--config', '/nowhere/settings.json'],
      {},
      /--config: there is no file \/nowhere\/settings.json/,
    ],
    [
      'the same by the environment',
      [],
      { AUTOMATOSX_CONFIG: '/nowhere/settings.json' },
      /AUTOMATOSX_CONFIG: there is no file/,
    ],
  ])('%s', async (_what, args, env, words) => {
    const { code, stdout, stderr } = await run(args, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('word@host');
  });

  test.each([
    ['broken JSON', '{\n  "limits": {\n    "pageSize": 5,\n  }\n}', /line 4/],
    ['an unknown key', '{\n  "limts": {}\n}', /line 2.*limts.*limits/],
    ['a wrong value', '{\n  "limits": {\n    "pageSize": "many"\n  }\n}', /line 3.*pageSize/],
    ['no object', '[]', /object/],
  ])('--config with %s', async (_what, text, words) => {
    const { code, stdout, stderr } = await run(['--config', fileWith(text)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });
});

test('--config takes the place of the global file', async () => {
  const client = await started({ args: ['--config', fileWith('{"limits": {"pageSize": 4}}')] });
  expect((await client.request('tools/list')).result.tools).toHaveLength(4);
});

test.each([
  ['core', ['memory_store', 'session_create', 'trace_get'], ['trace_list', 'config_get']],
  ['memory_store, trace_get', ['memory_store', 'trace_get'], ['memory_list', 'session_create']],
])('--tools %s offers these and no others', async (selection, there, missing) => {
  const client = await started({ args: ['--tools', selection] });
  const names = (await client.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(there));
  for (const name of missing) {
    expect(names).not.toContain(name);
    expect((await client.request('tools/call', { name, arguments: {} })).error?.code).toBe(-32602);
  }
});

test('stdout carries the protocol and nothing else, and stderr is quiet unless asked', async () => {
  const { code, stdout, stderr } = await run([], { input: SESSION });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
    ['2.0', 1],
    ['2.0', 2],
  ]);
});

test('--log-level debug writes JSON lines to stderr only', async () => {
  const quiet = await run([], { input: SESSION });
  const { code, stdout, stderr } = await run(['--log-level', 'debug'], { input: SESSION });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toHaveLength(quiet.stdout.split('\n').length);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    expect(line).toMatchObject({ time: expect.any(String), level: expect.any(String), message: expect.any(String) });
  }
  expect(lines).toContainEqual(expect.objectContaining({ level: 'debug', method: 'tools/call' }));
});

test('the environment stands in for options, and options win', async () => {
  const [home, other] = [temporaryFolder(), temporaryFolder()];
  const env = { AUTOMATOSX_HOME: home, AUTOMATOSX_LOG: 'info', AUTOMATOSX_CONFIG: '' };
  expect(await run([], { env, input: SESSION })).toMatchObject({ code: 0, stderr: expect.stringContaining('"info"') });
  expect(existsSync(join(home, 'automatosx.db'))).toBe(true);
  const { stderr } = await run(['--home', other, '--log-level', 'warn'], { env, input: SESSION });
  expect(stderr).toBe('');
  expect(existsSync(join(other, 'automatosx.db'))).toBe(true);
});

test('without input it ends at once', async () => {
  expect(await run([])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a port that is in use ends with code 1 and the way out', async () => {
  const { port, stop } = await startHttpServer();
  const { code, stderr } = await run(['--transport', 'http', '--port', String(port)]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/in use; --port chooses another/)]);
  expect(await stop()).toBe(0);
});
