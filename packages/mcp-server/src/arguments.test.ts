import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HELP, parseArguments } from './arguments.js';

test('without words everything has its default', () => {
  expect(parseArguments([], {})).toEqual({
    home: join(homedir(), '.automatosx'),
    workspace: process.cwd(),
    isWorkspaceFixed: false,
    configFile: undefined,
    configSource: undefined,
    toolSelection: 'all',
    logLevel: 'warn',
    shows: undefined,
  });
});

test('every option is heard, and paths are made absolute', () => {
  const words = ['--home', 'data', '--workspace', 'packages', '--config', 'c.json', '--tools', 'core'];
  expect(parseArguments([...words, '--log-level', 'debug', '--transport', 'stdio'], {})).toEqual({
    home: resolve('data'),
    workspace: resolve('packages'),
    isWorkspaceFixed: true,
    configFile: resolve('c.json'),
    configSource: '--config',
    toolSelection: 'core',
    logLevel: 'debug',
    shows: undefined,
  });
});

test('the environment stands in for options, and options win', () => {
  const environment = { AUTOMATOSX_HOME: '/data', AUTOMATOSX_CONFIG: '/c.json', AUTOMATOSX_LOG: 'info' };
  expect(parseArguments([], environment)).toMatchObject({
    home: '/data',
    configFile: '/c.json',
    configSource: 'AUTOMATOSX_CONFIG',
    logLevel: 'info',
  });
  const words = ['--home', '/other', '--config', '/d.json', '--log-level', 'silent'];
  expect(parseArguments(words, environment)).toMatchObject({
    home: '/other',
    configFile: '/d.json',
    configSource: '--config',
    logLevel: 'silent',
  });
});

test('variables that are set to nothing count as unset', () => {
  const empty = { AUTOMATOSX_HOME: '', AUTOMATOSX_CONFIG: '', AUTOMATOSX_LOG: '', AUTOMATOSX_DATABASE_URL: '' };
  expect(parseArguments([], empty)).toEqual(parseArguments([], {}));
});

test.each([
  [['--help'], 'help'],
  [['-h'], 'help'],
  [['--version'], 'version'],
  [['-v'], 'version'],
  [['--version', '--help'], 'help'],
])('%j shows something instead of serving', (words, shows) => {
  const environment = { AUTOMATOSX_DATABASE_URL: 'postgres://x', AUTOMATOSX_LOG: 'loud' };
  expect(parseArguments([...words, '--workspace', '/nowhere', '--tools', ''], environment).shows).toBe(shows);
});

test('HTTP listens on loopback at 7337, or where it is told, and takes no folder from its clients', () => {
  expect(parseArguments([], {}).http).toBeUndefined();
  expect(parseArguments(['--transport', 'http'], {})).toMatchObject({
    http: { host: '127.0.0.1', port: 7337 },
    isWorkspaceFixed: true,
  });
  const told = ['--transport', 'http', '--host', '::1', '--port', '0'];
  expect(parseArguments(told, {}).http).toEqual({ host: '::1', port: 0 });
});

test('the help names every option', () => {
  for (const name of [
    'transport',
    'port',
    'host',
    'home',
    'workspace',
    'config',
    'tools',
    'log-level',
    'version',
    'help',
  ]) {
    expect(HELP).toContain(`--${name}`);
  }
});

describe('what makes no sense is refused with a sentence', () => {
  test.each([
    [['--tols', 'x'], "Unknown option '--tols'; did you mean --tools?; --help shows what there is"],
    [['--frobnicate'], "Unknown option '--frobnicate'; --help shows what there is"],
    [['-x'], "Unknown option '-x'; --help shows what there is"],
    [['--home'], "Option '--home <value>' argument missing; --help shows what there is"],
    [['--home', '--tools'], "Option '--home' argument is ambiguous; --help shows what there is"],
    [['serve'], "Unexpected argument 'serve'; --help shows what there is"],
    [['--transport', 'pigeon'], '--transport: there is no pigeon; stdio and http are the ones there are'],
    [['--port', '7337'], '--port is for --transport http; stdio listens nowhere'],
    [['--host', '::1'], '--host is for --transport http; stdio listens nowhere'],
    [['--transport', 'http', '--port', '65536'], '--port: 65536 is not a number from 0 to 65535'],
    [['--transport', 'http', '--port', 'web'], '--port: web is not a number from 0 to 65535'],
    [['--log-level', 'loud'], '--log-level: loud is none of silent, error, warn, info, debug'],
    [['--workspace', '/nowhere/at all'], '--workspace: there is no folder /nowhere/at all'],
    [['--workspace', 'package.json'], `--workspace: there is no folder ${resolve('package.json')}`],
    [['--home', 'package.json'], `--home: ${resolve('package.json')} is not a folder`],
    [['--tools', ''], '--tools: the value is empty; --help shows what there is'],
    [['--config', ''], '--config: the value is empty; --help shows what there is'],
    [['--tools', 'all,'], '--tools: a name is empty; give all, core, or names with commas between them'],
  ])('%j', (words, sentence) => {
    expect(() => parseArguments(words, {})).toThrow(new Error(sentence));
  });

  test.each([
    [{ AUTOMATOSX_LOG: 'loud' }, 'AUTOMATOSX_LOG: loud is none of silent, error, warn, info, debug'],
    [{ AUTOMATOSX_HOME: 'package.json' }, `AUTOMATOSX_HOME: ${resolve('package.json')} is not a folder`],
  ])('%j, by the name of the variable', (environment, sentence) => {
    expect(() => parseArguments([], environment)).toThrow(new Error(sentence));
  });

  test('another database', () => {
    expect(() => parseArguments([], { AUTOMATOSX_DATABASE_URL: 'postgres://me:word@host' })).toThrow(
      /^AUTOMATOSX_DATABASE_URL: (?!.*word)/,
    );
  });
});
