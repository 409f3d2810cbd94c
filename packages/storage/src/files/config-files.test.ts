import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configFiles } from './config-files.js';

let root: string;
let globalFile: string;
let projectFolder: string;
let projectFile: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'config-files-')));
  globalFile = join(root, 'home', 'config.json');
  projectFolder = join(root, 'project');
  projectFile = join(projectFolder, '.automatosx', 'config.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const exclusive = async <T>(work: () => T): Promise<T> => work();
const open = () => configFiles({ globalFile, projectFolder, exclusive });
const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const link = (target: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
};
const modeOf = (path: string) => statSync(path).mode & 0o777;
const everyFile = () =>
  readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());

describe('read', () => {
  test('gives the text and a short name', () => {
    put(globalFile, '{"a":1}');
    put(projectFile, '{"b":1}');
    expect(open().read('global')).toEqual({ name: 'config.json', text: '{"a":1}' });
    expect(open().read('project')).toEqual({ name: '.automatosx/config.json', text: '{"b":1}' });
  });

  test('gives no text where there is no file, and makes none', () => {
    expect(open().read('global').text).toBeUndefined();
    expect(open().read('project').text).toBeUndefined();
    expect(readdirSync(root)).toEqual([]);
  });

  test('follows to another project', () => {
    put(projectFile, '{}');
    const files = configFiles({ globalFile, projectFolder: join(root, 'other'), exclusive });
    expect(files.read('project').text).toBeUndefined();
    files.useProject(projectFolder);
    expect(files.read('project').text).toBe('{}');
  });

  test('gives one file only once when it is both, also by way of a link', () => {
    put(globalFile, '{}');
    link(dirname(globalFile), join(root, 'workspace', '.automatosx'));
    const files = configFiles({ globalFile, projectFolder: join(root, 'workspace'), exclusive });
    expect(files.read('global').text).toBe('{}');
    expect(files.read('project')).toEqual({ name: '.automatosx/config.json', text: undefined });
  });

  test.each<[string, () => void, string]>([
    ['a folder', () => mkdirSync(globalFile, { recursive: true }), 'it is not a file'],
    ['bytes that are not UTF-8', () => put(globalFile, Buffer.from([0x7b, 0xff, 0x7d])), 'it is not UTF-8 text'],
    ['too large', () => put(globalFile, ' '.repeat(1_048_577)), 'it is larger than 1 MiB'],
    ['below a file', () => put(dirname(globalFile), ''), 'ENOTDIR'],
    ['a link to itself', () => link(globalFile, globalFile), 'ELOOP'],
  ])('tells why it cannot read what is %s, and never where it lies', (_, prepare, reason) => {
    prepare();
    expect(open().read('global')).toEqual({
      name: 'config.json',
      text: undefined,
      error: `the file cannot be read: ${reason}`,
    });
  });

  test.skipIf(process.platform === 'win32')('does not wait for a pipe', () => {
    mkdirSync(dirname(globalFile));
    execFileSync('mkfifo', [globalFile]);
    expect(open().read('global').error).toContain('it is not a file');
  });

  test('does not follow a project out of itself', async () => {
    put(join(root, 'secret.json'), '{"sentinel":1}');
    link(join(root, 'secret.json'), projectFile);
    expect(open().read('project')).toMatchObject({ text: undefined, error: expect.stringContaining('leads out of') });
    await expect(open().update('project', () => '{}')).rejects.toMatchObject({ toolCode: 'CONFIG_INVALID_VALUE' });
    expect(readFileSync(join(root, 'secret.json'), 'utf8')).toBe('{"sentinel":1}');
  });
});

describe('update', () => {
  test('makes the folder and the file; the global ones are for the user alone', async () => {
    await open().update('global', (text) => `${text}`);
    await open().update('project', () => '{}');
    expect(readFileSync(globalFile, 'utf8')).toBe('undefined');
    expect(modeOf(globalFile)).toBe(0o600);
    expect(modeOf(dirname(globalFile))).toBe(0o700);
    expect(modeOf(projectFile)).toBe(0o666 & ~process.umask());
  });

  test('keeps the mode of a project file and closes an open global one', async () => {
    put(globalFile, '{}');
    put(projectFile, '{}');
    chmodSync(globalFile, 0o644);
    chmodSync(projectFile, 0o640);
    await open().update('global', () => '{ }');
    await open().update('project', () => '{ }');
    expect(modeOf(globalFile)).toBe(0o600);
    expect(modeOf(projectFile)).toBe(0o640);
  });

  test('leaves the file alone where nothing changes', async () => {
    put(globalFile, '{}');
    const { ino } = statSync(globalFile);
    await open().update('global', (text) => text);
    await open().update('global', () => undefined);
    expect(statSync(globalFile).ino).toBe(ino);
    await open().update('project', () => undefined);
    expect(existsSync(projectFolder)).toBe(false);
  });

  test.each(['a file that exists', 'a file that does not exist yet'])('keeps a link to %s', async (kind) => {
    const target = join(root, 'dotfiles', 'automatosx.json');
    if (kind === 'a file that exists') put(target, '{}');
    link(join('..', 'dotfiles', 'automatosx.json'), globalFile);
    await open().update('global', () => '{ }');
    expect(lstatSync(globalFile).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('{ }');
  });

  test('loses none of many concurrent changes', async () => {
    const count = (text = '0') => String(Number(text) + 1);
    const others = Array.from({ length: 100 }, () => open().update('project', count));
    await Promise.all(others);
    expect(readFileSync(projectFile, 'utf8')).toBe('100');
    expect(everyFile()).toHaveLength(1);
  });

  test('runs inside the lock, on the project of the moment of the call', async () => {
    const waiting: (() => void)[] = [];
    const later = <T>(work: () => T) =>
      new Promise<T>((done, failed) => {
        waiting.push(() => Promise.resolve().then(work).then(done, failed));
      });
    const files = configFiles({ globalFile, projectFolder, exclusive: later });
    const update = files.update('project', () => '{}');
    files.useProject(join(root, 'other'));
    expect(existsSync(projectFile)).toBe(false);
    waiting[0]?.();
    await update;
    expect(existsSync(projectFile)).toBe(true);
  });

  test('passes on what the change throws, and writes nothing', async () => {
    put(globalFile, '{}');
    const refusal = new Error('no');
    await expect(
      open().update('global', () => {
        throw refusal;
      }),
    ).rejects.toBe(refusal);
    expect(everyFile()).toHaveLength(1);
  });
});

describe('a write that fails', () => {
  test('leaves no temporary file, and tells no path of the host', async () => {
    const failure = open().update('project', () => {
      // The rename cannot replace a folder.
      mkdirSync(join(projectFile, 'full'), { recursive: true });
      return '{}';
    });
    await expect(failure).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: expect.not.stringContaining(root),
      cause: expect.objectContaining({ code: expect.any(String) }),
    });
    expect(everyFile()).toEqual([]);
  });

  test('names the file and the reason', async () => {
    put(join(projectFolder, '.automatosx'), 'a file where a folder should be');
    await expect(open().update('project', () => '{}')).rejects.toThrow(
      '.automatosx/config.json could not be changed: ENOTDIR',
    );
  });

  test.skipIf(process.getuid?.() === 0)('leaves a file that is read-only, and one in a folder that is', async () => {
    put(globalFile, '{}');
    chmodSync(globalFile, 0o400);
    await expect(open().update('global', () => '{ }')).rejects.toThrow('permission denied');
    put(projectFile, '{}');
    chmodSync(dirname(projectFile), 0o500);
    await expect(open().update('project', () => '{ }')).rejects.toThrow('permission denied');
    expect(readFileSync(globalFile, 'utf8') + readFileSync(projectFile, 'utf8')).toBe('{}{}');
    chmodSync(dirname(projectFile), 0o700);
  });
});
