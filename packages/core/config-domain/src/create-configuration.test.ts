import { describe, expect, test, vi } from 'vitest';
import type { ConfigFiles, FileContent, FileScope } from './config-files.js';
import { createConfiguration } from './create-configuration.js';

/** Files that are kept in memory, one project folder beside another. */
function memoryFiles(texts: Record<string, string>) {
  const listeners = new Set<() => void>();
  const broken = new Set<FileScope>();
  let folder = 'first';
  const keyOf = (scope: FileScope) => (scope === 'global' ? 'global' : folder);
  const files: ConfigFiles = {
    read: (scope): FileContent => ({
      name: scope === 'global' ? 'config.json' : '.automatosx/config.json',
      ...(broken.has(scope) ? { text: undefined, error: 'permission denied' } : { text: texts[keyOf(scope)] }),
    }),
    async update(scope, change) {
      const next = change(texts[keyOf(scope)]);
      if (next !== undefined) texts[keyOf(scope)] = next;
    },
    useProject: (next) => {
      folder = next;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const poll = () => {
    for (const listener of listeners) listener();
  };
  const write = (key: string, text: string | undefined) => {
    if (text === undefined) delete texts[key];
    else texts[key] = text;
    poll();
  };
  return { files, write, poll, broken, texts, listeners };
}

function setup(texts: Record<string, string> = {}) {
  const memory = memoryFiles(texts);
  const log = vi.fn();
  const redact = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value, (name, text) => (name === 'description' ? '***' : text)));
  const environment = { NAME: 'expanded', HOME: '/home/ada' };
  return { ...memory, log, configuration: createConfiguration({ files: memory.files, environment, redact, log }) };
}

const pageSize = (size: number) => JSON.stringify({ limits: { pageSize: size } });
const failing = (toolCode: string) => expect.objectContaining({ toolCode });

describe('get', () => {
  test('gives the effective value in the merged scope, and says whether a file sets it', () => {
    const { configuration } = setup({ global: pageSize(5) });
    expect(configuration.get('limits.pageSize', 'merged')).toEqual({
      path: 'limits.pageSize',
      value: 5,
      scope: 'merged',
      found: true,
    });
    expect(configuration.get('cache.maxEntries', 'merged')).toMatchObject({ value: 10_000, found: false });
    expect(configuration.get('server.version', 'merged')).toMatchObject({ value: null, found: false });
  });

  test('gives what one file says in its scope, where local is the project', () => {
    const { configuration } = setup({ global: pageSize(5), first: pageSize(6) });
    expect(configuration.get('limits.pageSize', 'global')).toMatchObject({ value: 5, scope: 'global' });
    expect(configuration.get('limits.pageSize', 'local')).toMatchObject({ value: 6, scope: 'project' });
    expect(configuration.get('cache.maxEntries', 'project')).toMatchObject({ value: null, found: false });
  });

  test.each(['limits.pagesize', 'nothing', '__proto__', 'constructor.name', 'a[', ''])('does not know %j', (path) => {
    expect(() => setup().configuration.get(path, 'merged')).toThrow(failing('CONFIG_KEY_NOT_FOUND'));
  });

  test('hides a secret by its name, also where only the value is asked for', () => {
    const { configuration } = setup({ global: '{"server":{"description":"sentinel"}}' });
    expect(configuration.get('server.description', 'merged').value).toBe('***');
    expect(configuration.get('server', 'global').value).toEqual({ description: '***' });
    expect(JSON.stringify(configuration.show('merged'))).not.toContain('sentinel');
    expect(configuration.current().server.description).toBe('sentinel');
  });

  test('shows variables as they are written and uses what they stand for where they may be used', () => {
    const { configuration } = setup({ global: `{"server":{"name":"\${NAME}"},"$schema":"\${HOME}"}` });
    expect(configuration.current()).toMatchObject({ server: { name: 'expanded' }, $schema: `\${HOME}` });
    expect(configuration.get('server.name', 'merged').value).toBe(`\${NAME}`);
    expect(configuration.show('merged').config).toMatchObject({ server: { name: `\${NAME}` } });
  });
});

describe('set', () => {
  test('writes one file, is in force at once, and tells what was there', async () => {
    const { configuration, texts } = setup({ global: pageSize(5) });
    const answer = await configuration.set('limits.pageSize', 6, 'local');
    expect(answer).toEqual({ path: 'limits.pageSize', oldValue: null, newValue: 6, scope: 'project' });
    expect(configuration.current().limits.pageSize).toBe(6);
    expect(JSON.parse(texts.first ?? '')).toEqual({ limits: { pageSize: 6 } });
    expect(texts.global).toBe(pageSize(5));
  });

  test('removes a key with null', async () => {
    const { configuration } = setup({ global: pageSize(5) });
    expect(await configuration.set('limits.pageSize', null, 'global')).toMatchObject({ oldValue: 5, newValue: null });
    expect(configuration.current().limits.pageSize).toBe(100);
    expect(configuration.get('limits.pageSize', 'merged').found).toBe(false);
  });

  test.each([
    ['limits.pagesize', 5, 'CONFIG_KEY_NOT_FOUND'],
    ['limits.pageSize', 0, 'CONFIG_INVALID_VALUE'],
    ['server.name', 'x', 'CONFIG_PROTECTED'],
    ['mcpServers.x.command', 'sh', 'CONFIG_PROTECTED'],
    ['trace', { redact: [] }, 'CONFIG_PROTECTED'],
  ])('of %s to %j is refused and writes nothing', async (path, value, code) => {
    const { configuration, texts } = setup();
    await expect(configuration.set(path, value, 'global')).rejects.toThrow(failing(code));
    expect(texts).toEqual({});
  });

  test.each([
    ['rateLimits.query', { perSecond: 1, burst: 1 }],
    ['cache.maxEntries', 'not even a number'],
    ['limits', { request: { maxArraySize: 1 } }],
  ])("of %s in a project's file, where it has no effect, is refused and writes nothing", async (path, value) => {
    const { configuration, texts } = setup();
    await expect(configuration.set(path, value, 'local')).rejects.toThrow(failing('CONFIG_PROTECTED'));
    expect(texts).toEqual({});
  });

  test('never overwrites a file that is broken right now', async () => {
    const { configuration, texts } = setup({ global: pageSize(5) });
    texts.global = '{ half';
    await expect(configuration.set('limits.pageSize', 6, 'global')).rejects.toThrow(/must be mended first/);
    expect(texts.global).toBe('{ half');
  });

  test('builds on the newest text, also if the change was not noticed yet', async () => {
    const { configuration, texts } = setup({ global: pageSize(5) });
    texts.global = '{"cache":{"maxEntries":7}}';
    expect(await configuration.set('limits.pageSize', 6, 'global')).toMatchObject({ oldValue: null });
    expect(configuration.current()).toMatchObject({ cache: { maxEntries: 7 }, limits: { pageSize: 6 } });
  });
});

describe('a project that is not trusted', () => {
  const texts = {
    global: '{"server":{"name":"mine"}}',
    first: '{"server":{"name":"theirs"},"mcpServers":{},"limits":{"pageSize":6}}',
  };

  test('cannot decide trusted keys, and the rest works', () => {
    const { configuration } = setup({ ...texts });
    expect(configuration.current()).toMatchObject({ server: { name: 'mine' }, limits: { pageSize: 6 } });
    expect(configuration.get('server.name', 'merged')).toMatchObject({ value: 'mine', found: true });
    expect(configuration.get('server.name', 'project')).toMatchObject({ value: 'theirs', found: true });
    expect(configuration.show('project').sources).toEqual([
      { scope: 'project', file: '.automatosx/config.json', exists: true, untrusted: ['server', 'mcpServers'] },
    ]);
  });

  test('is not counted as setting what it cannot decide', () => {
    const { configuration } = setup({ first: texts.first });
    expect(configuration.get('server.name', 'merged')).toMatchObject({ value: 'automatosx-mcp', found: false });
  });
});

describe('a broken file', () => {
  test('leaves the defaults in force at the start, is logged once, and is shown', () => {
    const { configuration, log, poll } = setup({ global: '{\n oops', first: pageSize(6) });
    poll();
    expect(configuration.current().limits.pageSize).toBe(6);
    expect(configuration.show('merged').sources).toEqual([
      {
        scope: 'global',
        file: 'config.json',
        exists: true,
        error: 'line 2, column 2: expected a name in double quotes',
      },
      { scope: 'project', file: '.automatosx/config.json', exists: true },
    ]);
    expect(log).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledWith(
      'warn',
      expect.stringContaining('config.json'),
      expect.objectContaining({ scope: 'global' }),
    );
  });

  test('leaves the last good state in force until it is mended', () => {
    const { configuration, write, log } = setup({ global: pageSize(5) });
    const good = configuration.current();
    write('global', '{ "limits": ');
    expect(configuration.current()).toBe(good);
    expect(configuration.get('limits.pageSize', 'global')).toMatchObject({ value: 5, found: true });
    write('global', pageSize(7));
    expect(configuration.current().limits.pageSize).toBe(7);
    expect(configuration.show('global').sources).toEqual([{ scope: 'global', file: 'config.json', exists: true }]);
    write('global', '{ "limits": ');
    expect(log).toHaveBeenCalledTimes(2);
  });

  test('is also one that cannot be read', () => {
    const { configuration, broken, poll } = setup({ global: pageSize(5) });
    broken.add('global');
    poll();
    expect(configuration.current().limits.pageSize).toBe(5);
    expect(configuration.show('global').sources[0]).toMatchObject({ exists: true, error: 'permission denied' });
    broken.clear();
    poll();
    expect(configuration.show('global').sources[0]?.error).toBeUndefined();
  });
});

describe('a change', () => {
  test('reaches the listeners with a new object, once, and only if a setting changed', () => {
    const { configuration, write } = setup({ global: pageSize(5) });
    const seen: number[] = [];
    const before = configuration.current();
    const stop = configuration.onChange((config) => seen.push(config.limits.pageSize));
    write('global', `${pageSize(5)}\n`);
    expect(configuration.current()).toBe(before);
    write('global', pageSize(6));
    write('global', undefined);
    stop();
    write('global', pageSize(7));
    expect(seen).toEqual([6, 100]);
    expect(configuration.current()).not.toBe(before);
  });

  test('is made although a listener fails, and the others hear of it', async () => {
    const { configuration, log } = setup();
    const heard = vi.fn();
    configuration.onChange(() => {
      throw new Error('no');
    });
    configuration.onChange(heard);
    await configuration.set('limits.pageSize', 6, 'global');
    expect(heard).toHaveBeenCalledTimes(1);
    expect(log).toHaveBeenCalledWith('error', expect.any(String), expect.anything());
  });

  test('of the project leaves nothing of the old one, not even its last good state', async () => {
    const { configuration } = setup({ first: pageSize(6), second: '{ broken' });
    await configuration.useProject('second');
    expect(configuration.current().limits.pageSize).toBe(100);
    expect(configuration.show('project').sources[0]?.error).toBeDefined();
    await configuration.useProject('first');
    expect(configuration.current().limits.pageSize).toBe(6);
  });

  test('is not followed any more once it is closed', () => {
    const { configuration, listeners } = setup();
    configuration.close();
    expect(listeners.size).toBe(0);
  });
});
