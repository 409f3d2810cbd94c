import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/paths.js';
import { createWorkspace } from './workspace.js';

/** A client whose answers come when the test gives them. */
function slowClient() {
  const waiting: { resolve: (answer: unknown) => void; reject: (error: Error) => void }[] = [];
  const request = vi.fn(() => new Promise<unknown>((resolve, reject) => waiting.push({ resolve, reject })));
  return {
    client: { request, settle: () => {} },
    request,
    answer: (answer: unknown) => waiting.shift()?.resolve(answer),
    refuse: () => waiting.shift()?.reject(new Error('no')),
  };
}

const rootsOf = (...folders: string[]) => ({
  roots: folders.map((folder) => ({ uri: String(pathToFileURL(folder)) })),
});
const withRoots = { roots: {} };

function setup(onChange = vi.fn(async () => {})) {
  const peer = slowClient();
  const workspace = createWorkspace({ folder: '/start', isFixed: false, onChange });
  return { ...peer, workspace, onChange, ready: () => workspace.clientReady(withRoots, peer.client) };
}

test('before the client is asked, it is the folder that the server was started in', () => {
  expect(setup().workspace.current()).toBe('/start');
});

test('it waits for the answer, then it is the first root, with its name made plain', async () => {
  const { workspace, ready, answer, request, onChange } = setup();
  const folder = temporaryFolder();
  ready();
  const waiting = workspace.current();
  expect(waiting).toBeInstanceOf(Promise);
  answer({ roots: [{ uri: `${pathToFileURL(folder)}/` }, { uri: 'file:///other' }] });
  expect(await waiting).toBe(folder);
  expect(workspace.current()).toBe(folder);
  expect(request).toHaveBeenCalledWith({ method: 'roots/list' }, { timeoutMs: 2000 });
  expect(onChange).toHaveBeenCalledExactlyOnceWith(folder);
});

test('the same root again changes nothing', async () => {
  const { workspace, ready, answer, onChange } = setup();
  const folder = temporaryFolder();
  for (let round = 0; round < 2; round++) {
    ready();
    answer(rootsOf(folder));
    expect(await workspace.current()).toBe(folder);
  }
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('changes while it is asking lead to one more question, and the last answer counts', async () => {
  const { workspace, ready, answer, request } = setup();
  const [first, second] = [temporaryFolder(), temporaryFolder()];
  for (let change = 0; change < 10; change++) ready();
  const waiting = workspace.current();
  expect(request).toHaveBeenCalledTimes(1);
  answer(rootsOf(first));
  await vi.waitUntil(() => request.mock.calls.length === 2);
  answer(rootsOf(second));
  expect(await waiting).toBe(second);
  expect(request).toHaveBeenCalledTimes(2);
});

test('a client that refuses leaves it where it is', async () => {
  const { workspace, ready, refuse } = setup();
  ready();
  refuse();
  expect(await workspace.current()).toBe('/start');
});

test.each<[string, unknown]>([
  ['null', null],
  ['no list', { roots: 'all' }],
  ['an empty list', { roots: [] }],
  ['a list of nonsense', { roots: [null, 1, {}, { uri: 1 }] }],
  ['a folder that is not there', rootsOf('/does/not/exist')],
  ['no file', { roots: [{ uri: 'https://example.com' }] }],
  ['no URI', { roots: [{ uri: '' }] }],
])('an answer that is %s leaves it where it is', async (_what, given) => {
  const { workspace, ready, answer, onChange } = setup();
  ready();
  answer(given);
  expect(await workspace.current()).toBe('/start');
  expect(onChange).not.toHaveBeenCalled();
});

test('a file is no workspace', async () => {
  const { workspace, ready, answer } = setup();
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  ready();
  answer(rootsOf(file));
  expect(await workspace.current()).toBe('/start');
});

test('a folder that cannot be made the project does not become the workspace', async () => {
  const { workspace, ready, answer } = setup(vi.fn(() => Promise.reject(new Error('unreadable'))));
  ready();
  answer(rootsOf(temporaryFolder()));
  expect(await workspace.current()).toBe('/start');
  expect(workspace.current()).toBe('/start');
});

test.each([{}, { roots: true }, { roots: null }, { roots: [] }])('a client with %j is not asked', (capabilities) => {
  const { workspace, client, request } = setup();
  workspace.clientReady(capabilities, client);
  expect(request).not.toHaveBeenCalled();
});

test('where the user named the folder, the client is not asked', () => {
  const { client, request } = slowClient();
  const workspace = createWorkspace({ folder: '/named', isFixed: true, onChange: async () => {} });
  workspace.clientReady(withRoots, client);
  expect(request).not.toHaveBeenCalled();
  expect(workspace.current()).toBe('/named');
});
