import { defineContract } from '@automatosx/contracts';
import { implement, relay } from '@automatosx/mcp-runtime';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { Message } from '../../../../../tests/support/message.js';
import { served } from '../../../../../tests/support/served.js';
import { taskTools } from '../../../../../tests/support/task-tools.js';

const quick = implement(
  defineContract({
    name: 'test_quick',
    title: 'test_quick',
    description: 'A tool made for testing',
    category: 'scan',
    effect: 'read',
    input: z.looseObject({}),
    output: z.looseObject({}),
    errors: [],
  }),
  async () => ({}),
);
const passedOn = relay({ name: 'test_relay', inputSchema: { type: 'object' } }, async () => ({
  content: [{ type: 'text', text: 'as it is' }],
  extra: [1],
}));

const metaOf = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const _meta = metaOf({ ...TASKS, elicitation: {} });

function setup() {
  const it = served({ extra: { tools: [...taskTools, quick, passedOn] } });
  const ask = async (method: string, params: object = {}) => it.request(method, { _meta, ...params });
  const begin = async (name: string, input: object = {}): Promise<string> =>
    (await ask('tools/call', { name, arguments: input })).result.taskId;
  const until = (taskId: string, status: string) =>
    vi.waitUntil(
      async () => {
        const { result } = await ask('tasks/get', { taskId });
        return result.status === status ? result : undefined;
      },
      { timeout: 5000, interval: 10 },
    );
  return { ...it, ask, begin, until };
}

const withoutStamp = ({ result }: Message) => {
  const { resultType, _meta: stamp, ...rest } = result;
  return rest;
};

/** How long a call took differs from one to the next. */
const untimed = (result: object): unknown =>
  JSON.parse(JSON.stringify(result).replaceAll(/(\\?"durationMs\\?":)\d+/g, '$10'));

test('server/discover offers tasks, and initialize does not', async () => {
  const { ask, open } = setup();
  expect((await ask('server/discover')).result.capabilities).toMatchObject(TASKS);
  expect((await open()).result.capabilities).not.toHaveProperty('extensions');
});

test('a long call is answered with a handle', async () => {
  const { ask } = setup();
  const { result } = await ask('tools/call', { name: 'test_long', arguments: { ms: 20 } });
  expect(result).toEqual({
    resultType: 'task',
    taskId: expect.any(String),
    status: 'working',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    lastUpdatedAt: result.createdAt,
    ttlMs: 86_400_000,
    pollIntervalMs: expect.any(Number),
    _meta: expect.any(Object),
  });
});

test.each([
  ['test_long', { ms: 1 }],
  ['test_long', { ms: 'wrong' }],
  ['test_relay', {}],
])('the result of %s with %j is what the call itself would have been answered with', async (name, input) => {
  const { begin, until, request } = setup();
  const direct = withoutStamp(await request('tools/call', { name, arguments: input, _meta: metaOf({}) }));
  const taskId = await begin(name, input);
  const { result, ...task } = await until(taskId, 'completed');
  expect(task).toMatchObject({ taskId, resultType: 'complete', status: 'completed' });
  expect(untimed(result)).toEqual(untimed(direct));
});

describe('without the capability', () => {
  const missing = { code: -32021, data: { requiredCapabilities: TASKS } };

  test.each([{}, { extensions: {} }, { extensions: { 'io.modelcontextprotocol/tasks': true } }, { tasks: {} }])(
    '%j, calls are answered as ever',
    async (capabilities) => {
      const { request } = setup();
      const call = { name: 'test_long', arguments: { ms: 1 }, _meta: metaOf(capabilities) };
      expect((await request('tools/call', call)).result).toMatchObject({ resultType: 'complete', content: [{}] });
    },
  );

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s is refused', async (method) => {
    const { request, begin } = setup();
    const taskId = await begin('test_long', { ms: 1 });
    const { error } = await request(method, { taskId, inputResponses: {}, _meta: metaOf({}) });
    expect(error).toMatchObject(missing);
  });
});

test('handshake clients and other tools know no tasks', async () => {
  const { ask, request, open } = setup();
  expect((await ask('tools/call', { name: 'test_quick' })).result.resultType).toBe('complete');
  await open('2025-11-25', TASKS);
  const { result } = await request('tools/call', { name: 'test_long', arguments: { ms: 1 } });
  expect(result).not.toHaveProperty('taskId');
  expect((await request('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
});

test('what is wrong with the call itself is answered at once', async () => {
  const { ask } = setup();
  const bad = { ..._meta, 'automatosx/idempotencyKey': 7 };
  const { error } = await ask('tools/call', { name: 'test_long', arguments: { ms: 1 }, _meta: bad });
  expect(error?.code).toBe(-32602);
});

test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
  "%s knows nothing of others' tasks, and says the same of what never was",
  async (method) => {
    const { server, begin, ask } = setup();
    const taskId = await begin('test_long', { ms: 200 });
    const answers: Message[] = [];
    const bob = server.connect({
      principal: 'bob',
      isLocal: false,
      send: (text) => void answers.push(JSON.parse(text)),
      onShutdown: () => {},
    });
    const params = { taskId, inputResponses: {}, _meta };
    await bob.receive(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), 100);
    const never = await ask(method, { taskId: '6f1c2f4e-8a58-4d55-9c0b-0d7c9b1f2a3e', inputResponses: {} });
    expect(answers[0]?.error).toEqual(never.error);
    expect(never.error).toMatchObject({ code: -32602, message: expect.stringContaining('not found') });
    expect((await ask('tasks/get', { taskId })).result.status).toBe('working');
  },
);

test.each([
  ['tasks/get', {}],
  ['tasks/get', { taskId: 7 }],
  ['tasks/get', { taskId: 'x'.repeat(201) }],
  ['tasks/update', { taskId: 'x' }],
  ['tasks/update', { taskId: 'x', inputResponses: [] }],
  ['tasks/cancel', {}],
])('%s with %j is refused with -32602', async (method, params) => {
  const { ask } = setup();
  expect((await ask(method, params)).error?.code).toBe(-32602);
});

describe('questions of a task', () => {
  const named = (name: string) => ({ action: 'accept', content: { name } });

  test('stand in it until all are answered; each round has keys of its own', async () => {
    const { ask, begin, until } = setup();
    const taskId = await begin('test_ask', { rounds: 2 });
    const asked = await until(taskId, 'input_required');
    expect(Object.keys(asked.inputRequests)).toEqual(['first', 'last']);
    expect(asked.inputRequests.first).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } });
    const update = (inputResponses: object) => ask('tasks/update', { taskId, inputResponses });
    expect((await update({ first: named('Ada'), strange: 1 })).result).toEqual({
      resultType: 'complete',
      _meta: expect.any(Object),
    });
    expect(Object.keys((await until(taskId, 'input_required')).inputRequests)).toEqual(['last']);
    await update({ first: named('ignored'), last: named('Lovelace') });
    const again = await vi.waitUntil(async () => {
      const { result } = await ask('tasks/get', { taskId });
      return result.inputRequests && 'first-2' in result.inputRequests && result;
    });
    expect(Object.keys(again.inputRequests)).toEqual(['first-2', 'last-2']);
    await update({ 'first-2': named('Grace'), 'last-2': { action: 'decline' } });
    const { result } = await until(taskId, 'completed');
    expect(result.structuredContent.data.names).toEqual([
      [named('Ada'), named('Lovelace')],
      [named('Grace'), { action: 'decline' }],
    ]);
  });

  test('refuse what is no answer to them', async () => {
    const { ask, begin, until } = setup();
    const taskId = await begin('test_ask', { rounds: 1 });
    await until(taskId, 'input_required');
    const { error } = await ask('tasks/update', { taskId, inputResponses: { first: 'Ada' } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('first') });
    expect(Object.keys((await until(taskId, 'input_required')).inputRequests)).toEqual(['first', 'last']);
    await ask('tasks/cancel', { taskId });
  });

  test('are not put to a client that cannot answer', async () => {
    const { request, until } = setup();
    const call = { name: 'test_ask', arguments: { rounds: 1 }, _meta: metaOf(TASKS) };
    const { taskId } = (await request('tools/call', call)).result;
    const { result } = await until(taskId, 'completed');
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'SERVICE_UNAVAILABLE' } } });
  });

  test('are gone when the task is cancelled', async () => {
    const { ask, begin, until } = setup();
    const taskId = await begin('test_ask', { rounds: 1 });
    await until(taskId, 'input_required');
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect(await until(taskId, 'cancelled')).not.toHaveProperty('inputRequests');
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  });
});
