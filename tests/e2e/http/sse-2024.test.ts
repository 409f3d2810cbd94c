import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { envelopeOf, fetched, openEvents, stateless, until } from '../../support/http-requests.js';
import { type RunningServer, startHttp, startHttpServer } from '../../support/http-server.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
});
afterAll(() => server.stop());

const postTo = (url: string, place: string, message: object) =>
  fetched(`${url}${place}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });

/** A stream that is open and initialized, and how to send it messages. */
async function opened(url: string, protocolVersion = '2024-11-05', capabilities = {}) {
  const stream = await openEvents(`${url}/sse`);
  onTestFinished(() => stream.close());
  await until(() => stream.events.length > 0);
  const [first] = stream.events;
  const send = (message: object) => postTo(url, first?.data ?? '', { jsonrpc: '2.0', ...message });
  const request = async (id: number, method: string, params: object = {}) => {
    expect(await send({ id, method, params })).toMatchObject({ status: 202, messages: [] });
    return stream.next((message) => message.id === id);
  };
  const clientInfo = { name: 'test', version: '1' };
  const opening = await request(0, 'initialize', { protocolVersion, capabilities, clientInfo });
  await send({ method: 'notifications/initialized' });
  return { stream, first, send, request, opening };
}

const sessionsOf = async (url: string) =>
  Number(/^automatosx_sessions (\d+)/m.exec((await fetched(`${url}/metrics`)).text)?.[1]);

test('the stream begins with where to post, and every answer comes on it', async () => {
  const { stream, first, request, opening } = await opened(server.url);
  expect(stream.headers['content-type']).toBe('text/event-stream');
  expect(first).toMatchObject({ event: 'endpoint', data: expect.stringMatching(/^\/messages\?sessionId=[\w-]{36}$/) });
  expect(opening?.result.protocolVersion).toBe('2024-11-05');
  expect((await request(1, 'ping'))?.result).toEqual({});
  expect((await request(2, 'no/such'))?.error?.code).toBe(-32601);
  expect(stream.events.slice(1).every(({ event }) => event === 'message')).toBe(true);
});

test('a client of 2024-11-05 is not sent what its version does not have', async () => {
  const { request } = await opened(server.url);
  const { tools } = (await request(1, 'tools/list'))?.result ?? {};
  for (const tool of tools)
    for (const name of ['outputSchema', 'title', 'annotations']) expect(tool).not.toHaveProperty(name);
  const called = await request(2, 'tools/call', { name: 'test_echo', arguments: { a: 1 } });
  expect(called?.result).not.toHaveProperty('structuredContent');
  expect(JSON.parse(called?.result.content[0].text).data).toEqual({ echo: { a: 1 } });
});

test('a sessionId that is unknown is 404, a missing one 400, and other methods are 405', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await postTo(server.url, '/messages?sessionId=nobody', ping)).status).toBe(404);
  expect((await postTo(server.url, '/messages?sessionId=__proto__', ping)).status).toBe(404);
  expect((await postTo(server.url, '/messages', ping)).status).toBe(400);
  expect((await fetched(`${server.url}/sse`, { method: 'POST' })).status).toBe(405);
  expect((await fetched(`${server.url}/messages`)).status).toBe(405);
});

test('closing the stream ends its session and cancels its calls', async () => {
  const own = await startHttp({ program: 'fixture' });
  const { stream, first, send } = await opened(own.url);
  await send({ id: 5, method: 'tools/call', params: { name: 'test_wait', arguments: { ms: 20_000 } } });
  expect(await sessionsOf(own.url)).toBe(1);
  stream.close();
  await until(async () => (await sessionsOf(own.url)) === 0);
  expect((await postTo(own.url, first?.data ?? '', { jsonrpc: '2.0', id: 6, method: 'ping' })).status).toBe(404);
  await until(async () => {
    const { data } = envelopeOf(
      await stateless(own.url, 'tools/call', { name: 'trace_list', arguments: { toolName: 'test_wait' } }),
    );
    return data.traces.length === 1 && data.traces[0].status !== 'running';
  });
});

test('shutdown is answered, ends the stream, and leaves other clients their server', async () => {
  const own = await startHttp({ program: 'fixture' });
  const other = await opened(own.url);
  const { stream, request } = await opened(own.url);
  const answer = await request(1, 'shutdown');
  await stream.ended;
  expect(own.process.exitCode).toBeNull();
  expect(answer?.result).toEqual({});
  expect((await other.request(1, 'ping'))?.result).toEqual({});
});

test('the official client of version 1 works over it', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new SSEClientTransport(new URL(`${server.url}/sse`)));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('memory_store');
  const progress: number[] = [];
  const call = { name: 'test_wait', arguments: { ms: 20 } };
  const told = { onprogress: (step: { progress: number }) => progress.push(step.progress) };
  expect((await client.callTool(call, undefined, told)).isError).toBeFalsy();
  // It hears no more of a call once the answer is there.
  expect(progress[0]).toBe(0);
});

test('a tool asks the client on the stream', async () => {
  const { stream, send } = await opened(server.url, '2025-06-18', { elicitation: {} });
  await send({ id: 1, method: 'tools/call', params: { name: 'test_ask', arguments: { rounds: 1 } } });
  for (const name of ['first', 'last']) {
    const question = await stream.next(({ params }) => params?.message === `Your ${name} name?`);
    await send({ id: question?.id, result: { action: 'accept', content: { name } } });
  }
  expect((await stream.next(({ id }) => id === 1))?.result.structuredContent.success).toBe(true);
});
