import { setTimeout as sleep } from 'node:timers/promises';
import { defineContract } from '@automatosx/contracts';
import { implement } from '@automatosx/mcp-runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { served } from '../../../../tests/support/served.js';

const contract = (name: string) =>
  defineContract({
    name,
    title: name,
    description: 'A tool made for testing',
    category: 'query',
    effect: 'read',
    input: z.looseObject({}),
    output: z.looseObject({}),
    errors: [],
  });

const extraTools = [
  implement(contract('test_progress'), async (_input, { progress }) => {
    progress({ progress: 1, total: 4, message: 'one' });
    progress({ progress: 2, total: 4, message: 'too soon' });
    await sleep(30);
    progress({ progress: 3, total: 4 });
    progress({ progress: 3, total: 4, message: 'no further' });
    progress({ progress: 1, total: 4, message: 'backwards' });
    progress({ progress: 4, total: 4, message: 'done' });
    return {};
  }),
  implement(contract('test_size'), async () => ({ items: Array.from({ length: 200 }, () => 'x'.repeat(8000)) })),
  implement(contract('test_where'), async (_input, { workspace, principal }) => ({ workspace, principal })),
];

test('progress grows, is not sent faster than it can be seen, and always to its end', async () => {
  const { open, request, messages } = served({ extra: { tools: extraTools } });
  await open();
  await request('tools/call', { name: 'test_progress', _meta: { progressToken: 7 } });
  const updates = messages.filter(({ method }) => method !== undefined).map(({ params }) => params);
  expect(updates).toEqual([
    { progressToken: 7, progress: 1, total: 4, message: 'one' },
    { progressToken: 7, progress: 3, total: 4 },
    { progressToken: 7, progress: 4, total: 4, message: 'done' },
  ]);
});

test('without a token there is no progress, and 2024-11-05 gets no message', async () => {
  const { open, request, messages } = served({ extra: { tools: extraTools } });
  await open('2024-11-05');
  await request('tools/call', { name: 'test_progress' });
  expect(messages).toHaveLength(2);
  await request('tools/call', { name: 'test_progress', _meta: { progressToken: 'a' } });
  expect(messages[2]?.params).toEqual({ progressToken: 'a', progress: 1, total: 4 });
});

test('an answer that was cut links to the whole, where the version has links', async () => {
  for (const [version, types] of [
    ['2025-03-26', ['text']],
    ['2025-06-18', ['text', 'resource_link']],
  ] as const) {
    const { open, request } = served({ extra: { tools: extraTools } });
    await open(version);
    const { result } = await request('tools/call', { name: 'test_size' });
    expect(result.content.map(({ type }: { type: string }) => type)).toEqual(types);
    const { artifact } = JSON.parse(result.content[0].text).metadata;
    const whole = (await request('resources/read', { uri: artifact })).result.contents[0];
    expect(JSON.parse(whole.text).items).toHaveLength(200);
  }
});

test('an unknown tool is an error of the protocol, with a name that is not too long', async () => {
  const { open, request } = served();
  await open();
  const { error } = await request('tools/call', { name: 'x'.repeat(5000) });
  expect(error).toMatchObject({ code: -32602, data: { toolName: 'x'.repeat(200), details: expect.any(String) } });
});

test('a failure is marked as one', async () => {
  const { open, request } = served();
  await open();
  const { result } = await request('tools/call', { name: 'memory_store', arguments: {} });
  expect(result).toMatchObject({ isError: true, structuredContent: { success: false } });
});

test('a tool is told where it works and for whom', async () => {
  const { open, request, home } = served({ extra: { tools: extraTools } });
  await open();
  const { result } = await request('tools/call', { name: 'test_where' });
  expect(result.structuredContent.data).toEqual({ workspace: home, principal: 'user' });
});

const SESSION = '5f0c2d8e-0d3b-4c55-9a2e-6f1d7c1b2a90';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

test.each<[string, Record<string, unknown>, object]>([
  ['its trace parent', { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` }, { correlationId: TRACE_ID }],
  ['its session', { 'automatosx/sessionId': SESSION }, { sessionId: SESSION }],
  ['nothing of a bad trace parent', { traceparent: '00-x-y-01' }, { correlationId: expect.stringMatching(/^.{36}$/) }],
  ['nothing of a trace parent that is no text', { traceparent: 1 }, { correlationId: expect.any(String) }],
])('the trace of a call keeps %s', async (_what, meta, kept) => {
  const { open, request } = served();
  await open();
  await request('tools/call', { name: 'memory_list', arguments: {}, _meta: meta });
  const { result } = await request('tools/call', { name: 'trace_list', arguments: { toolName: 'memory_list' } });
  expect(result.structuredContent.data.traces).toMatchObject([kept]);
});

test.each([1, '', 'x'.repeat(501), null, {}])('a key or session id that is %j is refused', async (value) => {
  const { open, request } = served();
  await open();
  for (const name of ['automatosx/sessionId', 'automatosx/idempotencyKey']) {
    const { error } = await request('tools/call', { name: 'memory_list', _meta: { [name]: value } });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(name) });
  }
});

test('a session id that is none is not kept: it could be a secret', async () => {
  const { open, request } = served();
  await open();
  await request('tools/call', { name: 'memory_list', _meta: { 'automatosx/sessionId': 'sk-not-a-session' } });
  const { result } = await request('tools/call', { name: 'trace_list', arguments: { toolName: 'memory_list' } });
  expect(result.structuredContent.data.traces[0]).not.toHaveProperty('sessionId');
});
