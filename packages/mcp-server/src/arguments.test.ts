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
    toolSelection: 'all',
    logLevel: 'warn',
    shows: undefined,
  });
});

test('every option is heard, and paths are made absolute', () => {
  const words = ['--home', 'data', '--workspace', 'project', '--config', 'c.json', '--tools', 'core'];
  expect(parseArguments([...words, '--log-level', 'debug', '--transport', 'stdio'], {})).toEqual({
    home: resolve('data'),
    workspace: resolve('project'),
    isWorkspaceFixed: true,
    configFile: resolve('c.json'),
    toolSelection: 'core',
    logLevel: 'debug',
    shows: undefined,
  });
});

test('the environment stands in for options, and options win', () => {
  const environment = { AUTOMATOSX_HOME: '/data', AUTOMATOSX_CONFIG: '/c.json', AUTOMATOSX_LOG: 'info' };
  expect(parseArguments([], environment)).toMatchObject({ home: '/data', configFile: '/c.json', logLevel: 'info' });
  const words = ['--home', '/other', '--config', '/d.json', '--log-level', 'silent'];
  expect(parseArguments(words, environment)).toMatchObject({
    home: '/other',
    configFile: '/d.json',
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
  expect(parseArguments(words, environment).shows).toBe(shows);
});

test('the help names every option', () => {
  for (const name of ['transport', 'home', 'workspace', 'config', 'tools', 'log-level', 'version', 'help']) {
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
    [['--transport', 'http'], '--transport: there is no http; stdio is the only one'],
    [['--log-level', 'loud'], '--log-level: loud is none of silent, error, warn, info, debug'],
  ])('%j', (words, sentence) => {
    expect(() => parseArguments(words, {})).toThrow(new Error(sentence));
  });

  test('another database', () => {
    expect(() => parseArguments([], { AUTOMATOSX_DATABASE_URL: 'postgres://me:word@host' })).toThrow(
      /^AUTOMATOSX_DATABASE_URL: (?!.*word)/,
    );
  });
});
