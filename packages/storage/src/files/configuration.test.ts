import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Configuration, createConfiguration } from '@automatosx/config-domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { configFiles } from './config-files.js';

const POLL_MS = 20;
let root: string;
let opened: Configuration[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'configuration-'));
  opened = [];
});
afterEach(() => {
  for (const configuration of opened) configuration.close();
  rmSync(root, { recursive: true, force: true });
});

/** A server's configuration; several of them stand for several processes. */
async function start(project = 'project') {
  const log = vi.fn();
  const files = configFiles({
    globalFile: join(root, 'home', '.automatosx', 'config.json'),
    projectFolder: join(root, project),
    exclusive: async (work) => work(),
    pollMs: POLL_MS,
  });
  const configuration = createConfiguration({ files, environment: {}, redact: (value) => value, log });
  opened.push(configuration);
  // The first poll tells the watcher how things are.
  await sleep(5 * POLL_MS);
  return { configuration, log };
}

const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const pageSizeOf = (configuration: Configuration) => configuration.current().limits.pageSize;
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 5000 });

test('what one process sets, another one follows', async () => {
  const one = await start();
  const other = await start();
  await one.configuration.set('limits.pageSize', 7, 'global');
  expect(pageSizeOf(one.configuration)).toBe(7);
  await eventually(() => expect(pageSizeOf(other.configuration)).toBe(7));
  await other.configuration.set('limits.pageSize', null, 'global');
  await eventually(() => expect(pageSizeOf(one.configuration)).toBe(100));
});

test('settings that two processes make at once are all kept', async () => {
  const one = await start();
  const other = await start();
  const names = Array.from({ length: 20 }, (_, at) => `timeouts.toolOverrides.tool_${at}`);
  await Promise.all(names.map((name, at) => (at % 2 ? one : other).configuration.set(name, at + 1, 'project')));
  const written = JSON.parse(readFileSync(join(root, 'project/.automatosx/config.json'), 'utf8'));
  expect(Object.keys(written.timeouts.toolOverrides)).toHaveLength(20);
});

test('a file that somebody breaks keeps its last good state until it is mended or removed', async () => {
  write('project/.automatosx/config.json', '{"limits":{"pageSize":5}}');
  const { configuration, log } = await start();
  write('project/.automatosx/config.json', '{"limits":{"pageSize":');
  await eventually(() => expect(configuration.show('project').sources[0]?.error).toContain('line 1, column 23'));
  expect(pageSizeOf(configuration)).toBe(5);
  expect(log).toHaveBeenCalledTimes(1);
  await expect(configuration.set('limits.pageSize', 9, 'project')).rejects.toThrow(/mended first/);

  write('project/.automatosx/config.json', '{"limits":{"pageSize":6}}');
  await eventually(() => expect(pageSizeOf(configuration)).toBe(6));
  rmSync(join(root, 'project/.automatosx/config.json'));
  await eventually(() => expect(pageSizeOf(configuration)).toBe(100));
});

test('a server that works in the home folder applies its one file once, as the trusted one', async () => {
  write('home/.automatosx/config.json', '{"server":{"name":"mine"}}');
  const { configuration } = await start('home');
  expect(configuration.current().server.name).toBe('mine');
  expect(configuration.show('merged').sources).toEqual([
    { scope: 'global', file: 'config.json', exists: true },
    { scope: 'project', file: '.automatosx/config.json', exists: false },
  ]);
  await configuration.set('limits.pageSize', 8, 'project');
  expect(configuration.current()).toMatchObject({ server: { name: 'mine' }, limits: { pageSize: 8 } });
});

test('after a move the new project is followed, and the old one no more', async () => {
  write('project/.automatosx/config.json', '{"limits":{"pageSize":5}}');
  const { configuration } = await start();
  await configuration.useProject(join(root, 'other'));
  expect(pageSizeOf(configuration)).toBe(100);
  await sleep(5 * POLL_MS);
  write('project/.automatosx/config.json', '{"limits":{"pageSize":6}}');
  write('other/.automatosx/config.json', '{"limits":{"pageSize":7}}');
  await eventually(() => expect(pageSizeOf(configuration)).toBe(7));
});
