import { describe, expect, test, vi } from 'vitest';
import {
  envelopeOf,
  fetched,
  openEvents,
  openSession,
  post,
  postForEvents,
  rpc,
} from '../../../../../tests/support/http-requests.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';
import { taskTools } from '../../../../../tests/support/task-tools.js';
import { slowTools } from '../../../../../tests/support/websocket-client.js';

const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening };
const sessionsOf = ({ server }: Awaited<ReturnType<typeof servedHttp>>) =>
  Number(/^automatosx_sessions (\d+)$/m.exec(server.metrics.text())?.[1]);

const long = (ms: number) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'test_long', arguments: { ms }, _meta: { progressToken: 'p' } },
});

describe('initialize', () => {
  test('opens a session, whose id later requests bear', async () => {
    const served = await servedHttp();
    const session = await openSession(served.url);
    expect(session.opening.status).toBe(200);
    expect(session.id).toMatch(/^[\w-]{36}$/);
    expect((await rpc(served.url, session, 'ping')).message.result).toEqual({});
    expect(sessionsOf(served)).toBe(1);
  });

  test('that fails leaves no session', async () => {
    const served = await servedHttp();
    const { status, message } = await post(served.url, { ...initialize, params: {} });
    expect([status, message.error?.code]).toEqual([200, -32602]);
    await vi.waitFor(() => expect(sessionsOf(served)).toBe(0));
  });

  test('in a session that is open is refused', async () => {
    const { url } = await servedHttp();
    const { headers } = await openSession(url);
    const { status, message } = await post(url, initialize, headers);
    expect([status, message.error?.code]).toEqual([400, -32600]);
  });

  test('may come with a header of any version: it is what settles that', async () => {
    const { url } = await servedHttp();
    const { status } = await post(url, initialize, { 'mcp-protocol-version': '1999-01-01' });
    expect(status).toBe(200);
  });
});

describe('a request', () => {
  test('without a session is refused, and so is one of a session that there is not', async () => {
    const { url } = await servedHttp();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await post(url, ping)).status).toBe(400);
    expect((await post(url, ping, { 'mcp-session-id': 'unknown' })).status).toBe(404);
  });

  test('of a version that sessions do not have is refused', async () => {
    const { url } = await servedHttp();
    const { headers } = await openSession(url);
    const ping = [{ jsonrpc: '2.0', id: 1, method: 'ping' }];
    expect((await post(url, ping, { ...headers, 'mcp-protocol-version': '2026-07-28' })).status).toBe(400);
  });

  test('that its method refuses travels with 200, a notification with 202', async () => {
    const { url } = await servedHttp();
    const session = await openSession(url);
    const unknown = await rpc(url, session, 'unknown');
    expect([unknown.status, unknown.message.error?.code]).toEqual([200, -32601]);
    expect((await post(url, { jsonrpc: '2.0', method: 'x' }, session.headers)).status).toBe(202);
  });
});

describe('a call that takes its time', () => {
  test.each([
    ['2025-11-25', { id: expect.stringMatching(/\.0$/), retry: '1000', data: '' }],
    ['2025-06-18', { id: expect.stringMatching(/\.1$/), event: 'message' }],
  ] as const)('is answered as a stream, which for %s begins with %j', async (version, first) => {
    const { url } = await servedHttp({ extra: { tools: taskTools } });
    const { headers } = await openSession(url, { version });
    const stream = await postForEvents(url, long(10), headers);
    await stream.ended;
    expect(stream.events[0]).toMatchObject(first);
    expect(stream.messages.map(({ id, method }) => id ?? method)).toEqual(['notifications/progress', 7]);
  });

  test('goes on when its stream breaks, and its answer waits for who comes back', async () => {
    const { url } = await servedHttp({ extra: { tools: taskTools } });
    const { headers } = await openSession(url);
    const stream = await postForEvents(url, long(150), headers);
    await stream.next(({ method }) => method === 'notifications/progress');
    stream.close();
    const back = await openEvents(`${url}/mcp`, {
      headers: { ...headers, 'last-event-id': String(stream.events.at(-1)?.id) },
    });
    await back.ended;
    expect(back.messages.map(({ id }) => id)).toEqual([7]);
    expect(back.messages[0]?.result.structuredContent).toMatchObject({ success: true, data: { waited: 150 } });
  });

  test('asks its client on the same stream, and goes on with the answer', async () => {
    const { url } = await servedHttp({ extra: { tools: slowTools().tools } });
    const { headers } = await openSession(url, { capabilities: { roots: {} } });
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'test_roots', arguments: {} } };
    const stream = await postForEvents(url, call, headers);
    const question = await stream.next(({ method }) => method === 'roots/list');
    const roots = [{ uri: 'file:///here' }];
    expect((await post(url, { jsonrpc: '2.0', id: question?.id, result: { roots } }, headers)).status).toBe(202);
    const answer = await stream.next(({ id }) => id === 7);
    expect(answer?.result.structuredContent.data).toEqual({ answers: { folders: { roots } } });
  });

  test('is stopped by the end of its session', async () => {
    const { tools, seen } = slowTools();
    const { url } = await servedHttp({ extra: { tools } });
    const session = await openSession(url);
    const called = rpc(url, session, 'tools/call', { name: 'test_wait', arguments: { ms: 20_000 } });
    await vi.waitFor(() => expect(seen.started).toBe(1));
    const other = await openSession(url);
    const ended = await fetched(`${url}/mcp`, { method: 'DELETE', headers: session.headers });
    expect(ended.status).toBe(204);
    expect(envelopeOf(await called).success).toBe(false);
    expect((await rpc(url, other, 'ping')).status).toBe(200);
    expect((await rpc(url, session, 'ping')).status).toBe(404);
  });
});
