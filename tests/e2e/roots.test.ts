import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Message } from '../support/message.js';
import { temporaryFolder } from '../support/paths.js';
import { linesOf, started } from '../support/started.js';
import type { TestClient, TestClientOptions } from '../support/test-client.js';

const withRoots: TestClientOptions = { workspace: null, capabilities: { roots: { listChanged: true } } };

/** A project folder whose own settings can be told apart. */
function projectOf(pageSize: number): string {
  const folder = temporaryFolder('project');
  mkdirSync(join(folder, '.automatosx'));
  writeFileSync(join(folder, '.automatosx/config.json'), JSON.stringify({ limits: { pageSize } }));
  return folder;
}

const isQuestion = ({ method }: Message) => method === 'roots/list';
const questions = ({ messages }: TestClient) => messages.filter(isQuestion);

const answered = new WeakSet<Message>();

/** Answers the next question of the server for its client's folders. */
async function answerRoots(client: TestClient, answer: object): Promise<void> {
  const question = await client.next((message) => isQuestion(message) && !answered.has(message));
  answered.add(question);
  client.send({ jsonrpc: '2.0', id: question.id, ...answer });
}

const rootsOf = (...uris: string[]) => ({ result: { roots: uris.map((uri) => ({ uri, name: 'root' })) } });
const pageSize = async (client: TestClient) => (await client.data('config_get', { path: 'limits.pageSize' })).value;
const workspaceOf = async (client: TestClient) =>
  (await client.data('session_create', { initiator: 'a', task: 'b' })).workspace;

test("the client's first root becomes the workspace, with the project's settings", async () => {
  const [first, second] = [projectOf(11), projectOf(22)];
  const client = await started(withRoots);
  // Sent before the answer: a call waits for it.
  const early = workspaceOf(client);
  await answerRoots(client, rootsOf(`${pathToFileURL(first)}/`, String(pathToFileURL(second))));
  expect(await early).toBe(first);
  expect(await workspaceOf(client)).toBe(first);
  expect(await pageSize(client)).toBe(11);
  expect((await client.request('tools/list')).result.tools).toHaveLength(11);
  expect(questions(client)).toMatchObject([{ jsonrpc: '2.0', id: expect.any(String), method: 'roots/list' }]);
});

test('a change of the roots is asked for again', async () => {
  const [first, second] = [projectOf(11), projectOf(22)];
  const client = await started(withRoots);
  await answerRoots(client, rootsOf(String(pathToFileURL(first))));
  expect(await pageSize(client)).toBe(11);
  client.notify('notifications/roots/list_changed');
  await answerRoots(client, rootsOf(String(pathToFileURL(second))));
  expect(await workspaceOf(client)).toBe(second);
  expect(await pageSize(client)).toBe(22);
});

test('a flood of changes is not a flood of questions, and the last answer counts', async () => {
  const [first, second] = [projectOf(11), projectOf(22)];
  const client = await started(withRoots);
  client.write(
    linesOf(...Array.from({ length: 500 }, () => ({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }))),
  );
  await answerRoots(client, rootsOf(String(pathToFileURL(first))));
  await answerRoots(client, rootsOf(String(pathToFileURL(second))));
  expect(await workspaceOf(client)).toBe(second);
  expect(questions(client)).toHaveLength(2);
});

test('a client without a usable root works in the folder that the server was started in', async () => {
  const answers = [
    { error: { code: -32601, message: 'Method not found' } },
    rootsOf(),
    rootsOf('file:///does/not/exist'),
    rootsOf(String(pathToFileURL(import.meta.filename))),
    rootsOf('https://example.com/project'),
    rootsOf('\u0000'),
    { result: { roots: 'all' } },
    { result: null },
  ];
  const client = await started(withRoots);
  for (const answer of answers) {
    await answerRoots(client, answer);
    expect(await workspaceOf(client), JSON.stringify(answer)).toBe(process.cwd());
    expect(await pageSize(client)).toBe(100);
    client.notify('notifications/roots/list_changed');
  }
});

test('a client that never answers is waited for two seconds, once, by calls only', async () => {
  const client = await started(withRoots);
  const askedAt = performance.now();
  const call = workspaceOf(client);
  await client.request('ping');
  await client.request('tools/list');
  expect(performance.now() - askedAt).toBeLessThan(1500);
  expect(await call).toBe(process.cwd());
  expect(performance.now() - askedAt).toBeGreaterThan(1500);
  const againAt = performance.now();
  expect(await workspaceOf(client)).toBe(process.cwd());
  expect(performance.now() - againAt).toBeLessThan(1000);
});

test('a call that is cancelled while the client is asked is not made', async () => {
  const client = await started(withRoots);
  const store = { name: 'memory_store', arguments: { key: 'cancelled', value: 1 } };
  client.send({ jsonrpc: '2.0', id: 'waiting', method: 'tools/call', params: store });
  client.notify('notifications/cancelled', { requestId: 'waiting' });
  await client.request('ping');
  await answerRoots(client, rootsOf(String(pathToFileURL(temporaryFolder()))));
  expect(await client.data('memory_retrieve', { key: 'cancelled' })).toMatchObject({ found: false });
  expect(client.messages.filter(({ id }) => id === 'waiting')).toEqual([]);
});

test.each<[string, TestClientOptions]>([
  ['--workspace is given', { capabilities: { roots: {} } }],
  ['the client has no roots', { workspace: null, capabilities: {} }],
  ['what the client calls roots is no capability', { workspace: null, capabilities: { roots: true } }],
])('the client is not asked where %s', async (_what, options) => {
  const client = await started(options);
  client.notify('notifications/roots/list_changed');
  expect(await workspaceOf(client)).toBe(options.workspace === null ? process.cwd() : client.home);
  expect(questions(client)).toEqual([]);
});
