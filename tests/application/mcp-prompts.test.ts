import { CompleteResultSchema, GetPromptResultSchema, ListPromptsResultSchema } from '@modelcontextprotocol/core';
import { describe, expect, test } from 'vitest';
import { served } from '../support/served.js';
import { started } from '../support/started.js';

/** Every prompt with its arguments; a star marks those that are required. */
const PROMPTS = {
  'code-review': ['files*', 'focus_areas'],
  'refactor-plan': ['target*', 'goals', 'constraints'],
  'debug-assist': ['error_message*', 'context'],
  run_workflow: ['workflowId*', 'input'],
  run_agent: ['agentId*', 'input'],
  analyze_trace: ['traceId*'],
  search_memory: ['query*', 'namespace'],
  list_agents: ['team', 'enabled'],
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A server with an open connection, and ways to ask it. */
async function connected(version: string) {
  const server = served();
  if (version !== '2026-07-28') await server.open(version);
  const request = (method: string, params: Record<string, unknown> = {}) =>
    server.request(method, version === '2026-07-28' ? { ...params, _meta: META } : params);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { result } = await request('tools/call', { name, arguments: input });
    return JSON.parse(result.content[0].text).data;
  };
  const get = (name: string, given?: Record<string, unknown>) => request('prompts/get', { name, arguments: given });
  const messages = async (name: string, given?: Record<string, string>) =>
    GetPromptResultSchema.parse((await get(name, given)).result).messages.map(({ content }) => content);
  const complete = async (prompt: string, name: string, value: string) => {
    const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } };
    return CompleteResultSchema.parse((await request('completion/complete', params)).result).completion.values;
  };
  return { ...server, request, call, get, messages, complete };
}

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'])('%s', (version) => {
  test('every prompt is listed with its arguments', async () => {
    const { request } = await connected(version);
    const { prompts } = ListPromptsResultSchema.parse((await request('prompts/list')).result);
    const told = prompts.map(({ name, arguments: all = [] }) => [
      name,
      all.map((argument) => `${argument.name}${argument.required ? '*' : ''}`),
    ]);
    expect(Object.fromEntries(told)).toEqual(PROMPTS);
    for (const { title, description, arguments: all = [] } of prompts) {
      if (version === '2024-11-05') expect(title).toBeUndefined();
      else expect(title).toMatch(/\w/);
      expect([description, ...all.map((argument) => argument.description)].join('|')).toMatch(/^[^|]+(\|[^|]+)*$/);
    }
  });

  test('the list comes in pages', async () => {
    const { request, call } = await connected(version);
    await call('config_set', { path: 'limits.pageSize', value: 5 });
    const first = (await request('prompts/list')).result;
    const second = (await request('prompts/list', { cursor: first.nextCursor })).result;
    const names = [...first.prompts, ...second.prompts].map(({ name }) => name);
    expect([first.prompts.length, second.nextCursor, names]).toEqual([5, undefined, Object.keys(PROMPTS)]);
    expect((await request('prompts/list', { cursor: 'x' })).error?.code).toBe(-32602);
  });

  test.each(Object.entries(PROMPTS).filter(([, all]) => all[0]?.endsWith('*')))(
    '%s needs its first argument',
    async (name, [first = '']) => {
      const { get } = await connected(version);
      const missing = first.replace('*', '');
      for (const given of [undefined, {}, { other: 'x' }, { toString: 'x' }]) {
        expect((await get(name, given)).error).toEqual({
          code: -32602,
          message: `The prompt ${name} needs ${missing}`,
          data: { missing: [missing] },
        });
      }
      expect((await get(name, { [missing]: 1 })).error?.code).toBe(-32602);
    },
  );

  test.each(['none', '', '__proto__', 'toString'])('a prompt named %j is unknown', async (name) => {
    const { get } = await connected(version);
    expect((await get(name)).error).toMatchObject({ code: -32602, message: `Unknown prompt: ${name}` });
  });

  test('code-review and refactor-plan tell what memory holds', async () => {
    const { call, messages } = await connected(version);
    await call('memory_store', { key: 'src/login.ts', value: 'sessions leak here' });
    const [review] = await messages('code-review', { files: 'src/login.ts', focus_areas: 'leaks' });
    expect(review).toMatchObject({ type: 'text', text: expect.stringContaining('"sessions leak here"') });
    const [plan] = await messages('refactor-plan', {
      target: 'src/login.ts',
      goals: 'shorter',
      constraints: 'same API',
    });
    expect(plan).toMatchObject({ type: 'text', text: expect.stringContaining('"sessions leak here"') });
  });

  test('debug-assist tells of calls that failed so', async () => {
    const { call, messages } = await connected(version);
    await call('session_status', { sessionId: '6f1c2f4e-8a58-4d55-9c0b-0d7c9b1f2a3e' });
    const [text] = await messages('debug-assist', { error_message: 'SESSION_NOT_FOUND', context: 'a test' });
    expect(text).toMatchObject({ text: expect.stringMatching(/traces:\/\/[\s\S]+session_status failed/) });
  });

  test('analyze_trace tells what was found, and embeds the trace', async () => {
    const { call, messages } = await connected(version);
    await call('memory_store', { key: 'a', value: 1 });
    const { traceId } = (await call('trace_list', { limit: 1 })).traces[0];
    const [text, embedded] = await messages('analyze_trace', { traceId });
    expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('memory_store succeeded') });
    expect(embedded).toMatchObject({
      type: 'resource',
      resource: {
        uri: `traces://${traceId}`,
        mimeType: 'application/json',
        text: expect.stringContaining('run.start'),
      },
    });
  });

  test('search_memory tells what it found', async () => {
    const { call, messages } = await connected(version);
    await call('memory_store', { key: 'release', value: 'on Friday', namespace: 'team' });
    const [text] = await messages('search_memory', { query: 'release', namespace: 'team' });
    expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('"on Friday"') });
  });

  test('what there is none of yet is told so', async () => {
    const { get, messages } = await connected(version);
    expect((await messages('list_agents', { enabled: 'true' }))[0]).toMatchObject({
      text: expect.stringContaining('There are no such agents.'),
    });
    expect((await get('run_workflow', { workflowId: 'w-1' })).error).toEqual({
      code: -32602,
      message: 'There is no workflow w-1',
      data: { workflowId: 'w-1' },
    });
    expect((await get('run_agent', { agentId: 'a-1' })).error).toMatchObject({ message: 'There is no agent a-1' });
    expect((await get('analyze_trace', { traceId: 't-1' })).error).toMatchObject({ message: 'There is no trace t-1' });
    expect((await get('list_agents', { enabled: 'perhaps' })).error?.code).toBe(-32602);
  });

  test('ids and namespaces are completed', async () => {
    const { call, complete, request } = await connected(version);
    await call('memory_store', { key: 'a', value: 1, namespace: 'team one' });
    const { traceId } = (await call('trace_list', { limit: 1 })).traces[0];
    expect(await complete('search_memory', 'namespace', 'te')).toEqual(['team one']);
    expect(await complete('analyze_trace', 'traceId', traceId)).toEqual([traceId]);
    expect(await complete('run_workflow', 'workflowId', '')).toEqual([]);
    expect(await complete('run_agent', 'agentId', '')).toEqual([]);
    expect(await complete('list_agents', 'enabled', '')).toEqual(['true', 'false']);
    expect(await complete('code-review', 'files', 'src')).toEqual([]);
    const unknown = { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: '' } };
    expect((await request('completion/complete', unknown)).error?.code).toBe(-32602);
  });

  test('asking for a prompt changes nothing and leaves no trace', async () => {
    const { call, messages } = await connected(version);
    await call('memory_store', { key: 'src/login.ts', value: 'a note' });
    const before = (await call('trace_list', {})).total;
    await messages('code-review', { files: 'src/login.ts' });
    await messages('search_memory', { query: 'login' });
    expect((await call('trace_list', {})).total).toBe(before + 1);
    expect((await call('memory_retrieve', { key: 'src/login.ts' })).version).toBe(1);
  });
});

test('the program serves them: listed, got, completed, and refused', async () => {
  const client = await started();
  const { result } = await client.request('prompts/list');
  expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual(Object.keys(PROMPTS));
  await client.data('memory_store', { key: 'greeting', value: 'hello', namespace: 'team' });
  const got = await client.request('prompts/get', { name: 'search_memory', arguments: { query: 'greeting' } });
  expect(got.result.messages[0].content.text).toContain('"hello"');
  const completed = await client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'search_memory' },
    argument: { name: 'namespace', value: '' },
  });
  expect(completed.result.completion.values).toEqual(['team']);
  expect((await client.request('prompts/get', { name: 'search_memory' })).error?.code).toBe(-32602);
});
