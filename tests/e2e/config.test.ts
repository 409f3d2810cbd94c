import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/paths.js';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
let workspace: string;
beforeEach(async () => {
  workspace = temporaryFolder();
  client = await TestClient.start({ workspace });
});
afterEach(() => client.end());

const projectFile = () => {
  mkdirSync(join(workspace, '.automatosx'), { recursive: true });
  return join(workspace, '.automatosx/config.json');
};

test('a setting is written to the global file and takes effect at once', async () => {
  expect(await client.data('config_get', { path: 'limits.pageSize' })).toMatchObject({ value: 100, found: false });
  expect(await client.data('config_set', { path: 'limits.pageSize', value: 7 })).toEqual({
    path: 'limits.pageSize',
    oldValue: null,
    newValue: 7,
    scope: 'global',
  });
  expect(JSON.parse(readFileSync(join(client.home, 'config.json'), 'utf8'))).toEqual({ limits: { pageSize: 7 } });
  const { result } = await client.request('tools/list');
  expect(result.tools).toHaveLength(7);
  expect(result.nextCursor).toEqual(expect.any(String));
});

test("the project's file wins, and a change of it is noticed", async () => {
  await client.data('config_set', { path: 'limits.pageSize', value: 7 });
  writeFileSync(projectFile(), '{"limits": {"pageSize": 3}}');
  await expect
    .poll(async () => (await client.data('config_get', { path: 'limits.pageSize' })).value, { timeout: 5000 })
    .toBe(3);
  expect(await client.data('config_get', { path: 'limits.pageSize', scope: 'global' })).toMatchObject({
    value: 7,
    found: true,
  });
});

test('a broken file is reported with its line, and what held before still holds', async () => {
  writeFileSync(projectFile(), '{"limits": {"pageSize": 3}}');
  await expect
    .poll(async () => (await client.data('config_get', { path: 'limits.pageSize' })).value, { timeout: 5000 })
    .toBe(3);
  writeFileSync(projectFile(), '{\n  "limits": {"pagSize": 4}\n}');
  const projectSource = async () =>
    (await client.data('config_show')).sources.find(({ scope }: { scope: string }) => scope === 'project');
  await expect.poll(async () => (await projectSource()).error, { timeout: 5000 }).toMatch(/line 2.*pagSize.*pageSize/);
  expect(await client.data('config_get', { path: 'limits.pageSize' })).toMatchObject({ value: 3 });
  await expect.poll(() => client.stderr).toMatch(/pagSize/);
  writeFileSync(projectFile(), '{"limits": {"pageSize": 4}}');
  await expect
    .poll(async () => (await client.data('config_get', { path: 'limits.pageSize' })).value, { timeout: 5000 })
    .toBe(4);
});

test.each([
  ['limits.pagSize', 3, 'NOT_FOUND', 'CONFIG_KEY_NOT_FOUND'],
  ['limits.pageSize', 'many', 'INVALID_INPUT', 'CONFIG_INVALID_VALUE'],
  ['limits.pageSize', 0, 'INVALID_INPUT', 'CONFIG_INVALID_VALUE'],
  ['server.name', 'evil', 'PERMISSION_DENIED', 'CONFIG_PROTECTED'],
  ['trace.redact', [], 'PERMISSION_DENIED', 'CONFIG_PROTECTED'],
  ['trace', { redact: [] }, 'PERMISSION_DENIED', 'CONFIG_PROTECTED'],
  ['__proto__.polluted', true, 'NOT_FOUND', 'CONFIG_KEY_NOT_FOUND'],
])('setting %s to %j is refused', async (path, value, code, toolCode) => {
  const { error } = await client.call('config_set', { path, value });
  expect(error).toMatchObject({ code, context: { toolCode } });
  expect((await client.data('config_show', { scope: 'global' })).config).toEqual({});
});

test("a project's own file cannot name the server, and that is told", async () => {
  writeFileSync(projectFile(), '{"server": {"name": "evil"}, "limits": {"pageSize": 5}}');
  await expect
    .poll(async () => (await client.data('config_get', { path: 'limits.pageSize' })).value, { timeout: 5000 })
    .toBe(5);
  const { config, sources } = await client.data('config_show');
  expect(config.server.name).toBe('automatosx-mcp');
  expect(sources).toContainEqual(expect.objectContaining({ scope: 'project', untrusted: ['server'] }));
});

test("a project's own file cannot loosen a bound, and that is told", async () => {
  const before = await client.data('config_show');
  const loosened = {
    trace: { retentionDays: 36_500 },
    rateLimits: { query: { perSecond: 1, burst: 1 } },
    limits: { pageSize: 5, request: { maxRequestBytes: 1_000_000_000 } },
  };
  writeFileSync(projectFile(), JSON.stringify(loosened));
  await expect
    .poll(async () => (await client.data('config_get', { path: 'limits.pageSize' })).value, { timeout: 5000 })
    .toBe(5);
  const { config, sources } = await client.data('config_show');
  expect(config).toEqual({ ...before.config, limits: { ...before.config.limits, pageSize: 5 } });
  expect(sources).toContainEqual(
    expect.objectContaining({ scope: 'project', untrusted: ['trace', 'rateLimits', 'limits.request'] }),
  );
  const answers = await Promise.all([1, 2, 3].map(() => client.call('memory_retrieve', { key: 'a' })));
  expect(answers.filter(({ success }) => !success)).toEqual([]);
});

test("a tool call does not write into a project's file what would have no effect there", async () => {
  const value = { perSecond: 1, burst: 1 };
  const { error } = await client.call('config_set', { path: 'rateLimits.query', value, scope: 'project' });
  expect(error).toMatchObject({ code: 'PERMISSION_DENIED', context: { toolCode: 'CONFIG_PROTECTED' } });
  expect(error?.message).toContain('scope global');
  expect((await client.data('config_show', { scope: 'project' })).config).toEqual({});
});

test('settings of the layers hold from the next call on', async () => {
  await client.data('config_set', { path: 'rateLimits.query', value: { perSecond: 1, burst: 2 } });
  const answers = await Promise.all([1, 2, 3, 4].map(() => client.call('memory_retrieve', { key: 'a' })));
  const refused = answers.filter(({ success }) => !success);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.error).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: expect.any(Number) });
});

test('two processes that change settings at the same time both keep theirs', async () => {
  const other = await TestClient.start({ home: client.home, workspace });
  const paths = ['query', 'mutation', 'scan', 'execution'].map((name) => `timeouts.toolTimeouts.${name}`);
  await Promise.all(
    paths.map((path, index) => (index % 2 ? other : client).data('config_set', { path, value: 5000 + index })),
  );
  const { toolTimeouts } = JSON.parse(readFileSync(join(client.home, 'config.json'), 'utf8')).timeouts;
  expect(toolTimeouts).toEqual({ query: 5000, mutation: 5001, scan: 5002, execution: 5003 });
  await other.end();
});
