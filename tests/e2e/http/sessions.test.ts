import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  envelopeOf,
  fetched,
  nextId,
  type OpenSession,
  openEvents,
  openSession,
  post,
  rpc,
} from '../../support/http-requests.js';
import { type RunningServer, startHttpServer } from '../../support/http-server.js';

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
});
afterAll(() => server.stop());

const call = (name: string, input: object, meta?: object) => ({
  jsonrpc: '2.0',
  id: nextId(),
  method: 'tools/call',
  params: { name, arguments: input, ...(meta && { _meta: meta }) },
});

const get = (session: OpenSession, headers = {}) =>
  openEvents(`${url}/mcp`, { headers: { ...session.headers, ...headers } });
const remove = (session: OpenSession) => fetched(`${url}/mcp`, { method: 'DELETE', headers: session.headers });

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'] as const)('%s', (version) => {
  test('initialize gives a session, and one message is answered as JSON', async () => {
    const session = await openSession(url, { version });
    expect(session.opening).toMatchObject({ status: 200, message: { result: { protocolVersion: version } } });
    expect(session.opening.headers['content-type']).toBe('application/json');
    expect(session.id).toMatch(/^[\x21-\x7e]{32,}$/);
    const answer = await rpc(url, session, 'tools/list');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    const hasOutput = answer.message.result.tools.some((tool: object) => 'outputSchema' in tool);
    expect(hasOutput).toBe(version >= '2025-06-18');
  });

  test('a call that tells its progress is answered as events, of which the answer is the last', async () => {
    const session = await openSession(url, { version });
    const answer = await post(url, call('test_wait', { ms: 20 }, { progressToken: 'p' }), session.headers);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    const steps = answer.messages.map(({ method, params }) => [method, params?.progressToken, params?.progress]);
    expect(steps).toEqual([
      ['notifications/progress', 'p', 0],
      ['notifications/progress', 'p', 1],
      [undefined, undefined, undefined],
    ]);
    expect(envelopeOf(answer).data).toEqual({ waited: 20 });
  });

  test('notifications and answers of the client are taken with 202 and nothing else', async () => {
    const session = await openSession(url, { version });
    for (const message of [{ method: 'notifications/x' }, { id: 'nobody-asked', result: {} }]) {
      expect(await post(url, { jsonrpc: '2.0', ...message }, session.headers)).toMatchObject({ status: 202, text: '' });
    }
  });

  test('batches are answered where the version has them', async () => {
    const session = await openSession(url, { version });
    const [first, last] = [call('test_echo', { a: 1 }), call('test_echo', {})];
    const batch = [first, { jsonrpc: '2.0', method: 'notifications/x' }, last];
    const answer = await post(url, batch, session.headers);
    if (version !== '2025-03-26') {
      expect(answer).toMatchObject({ status: 400, message: { id: null, error: { code: -32600 } } });
      return;
    }
    expect(answer.messages.map(({ id }) => id)).toEqual([first.id, last.id]);
    const silent = await post(url, [{ jsonrpc: '2.0', method: 'notifications/x' }], session.headers);
    expect(silent).toMatchObject({ status: 202, text: '' });
    expect((await post(url, [], session.headers)).message.error?.code).toBe(-32600);
  });

  test('DELETE ends the session: its stream ends, and its id is 404 from then on', async () => {
    const session = await openSession(url, { version });
    const stream = await get(session);
    expect((await remove(session)).status).toBe(204);
    await stream.ended;
    expect((await rpc(url, session, 'ping')).status).toBe(404);
    expect((await remove(session)).status).toBe(404);
    expect((await get(session)).status).toBe(404);
  });
});

test('changes come on the stream of the session, of which there is one', async () => {
  const session = await openSession(url);
  const stream = await get(session);
  expect(stream.headers['content-type']).toBe('text/event-stream');
  expect((await get(session)).status).toBe(409);
  await rpc(url, session, 'tools/call', { name: 'test_add_tool', arguments: { name: 'test_added' } });
  expect(await stream.next(({ method }) => method === 'notifications/tools/list_changed')).toBeDefined();
  // An answer belongs to the request that asked for it.
  expect(stream.messages.filter(({ id }) => id !== undefined)).toEqual([]);
  stream.close();
});

test('what came while nobody listened is told to the next one that does', async () => {
  const session = await openSession(url);
  await rpc(url, session, 'tools/call', { name: 'test_add_tool', arguments: { name: 'test_added_unheard' } });
  const stream = await get(session);
  expect(await stream.next(({ method }) => method === 'notifications/tools/list_changed')).toBeDefined();
  stream.close();
});

test('a tool asks the client on the stream of its own call', async () => {
  const session = await openSession(url, { capabilities: { elicitation: {} } });
  const own = await get(session);
  const message = call('test_ask', { rounds: 1 });
  const stream = await openEvents(`${url}/mcp`, {
    method: 'POST',
    headers: { ...session.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  const asked = [];
  for (const name of ['first', 'last']) {
    const question = await stream.next(({ params }) => params?.message === `Your ${name} name?`);
    asked.push(question?.id);
    const result = { action: 'accept', content: { name } };
    expect((await post(url, { jsonrpc: '2.0', id: question?.id, result }, session.headers)).status).toBe(202);
  }
  expect(new Set(asked).size).toBe(2);
  expect((await stream.next(({ id }) => id === message.id))?.result.isError).toBeFalsy();
  expect(own.messages).toEqual([]);
  own.close();
});

test('shutdown is answered and ends the session, and no other', async () => {
  const [session, other] = [await openSession(url), await openSession(url)];
  const stream = await get(session);
  expect((await rpc(url, session, 'shutdown')).message.result).toEqual({});
  await stream.ended;
  expect((await rpc(url, session, 'ping')).status).toBe(404);
  expect((await rpc(url, other, 'ping')).status).toBe(200);
});

test('Accept decides between JSON and events, and one that allows neither is 406', async () => {
  const session = await openSession(url);
  const ask = (accept: string) =>
    post(url, call('test_wait', { ms: 1 }, { progressToken: 1 }), { ...session.headers, accept });
  const json = await ask('application/json');
  expect(json.headers['content-type']).toBe('application/json');
  expect(envelopeOf(json).data).toEqual({ waited: 1 });
  expect((await ask('text/event-stream')).headers['content-type']).toBe('text/event-stream');
  expect((await ask('*/*')).headers['content-type']).toBe('text/event-stream');
  expect(await ask('text/html')).toMatchObject({ status: 406, message: { error: { code: -32600 } } });
  const page = await fetched(`${url}/mcp`, { headers: { ...session.headers, accept: 'text/html' } });
  expect(page.status).toBe(406);
});

test('a request that is refused for its Accept has opened nothing', async () => {
  const count = async () => /^automatosx_sessions (\d+)/m.exec((await fetched(`${url}/metrics`)).text)?.[1];
  const before = await count();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const refused = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { accept: 'text/html' });
  expect(refused.status).toBe(406);
  expect(await count()).toBe(before);
});

describe.each(['1999-01-01', 'latest', '2026-07-28'])('the version %s in the header of a session', (version) => {
  test.each(['POST', 'GET', 'DELETE'])('is 400 for %s', async (method) => {
    const session = await openSession(url);
    const headers = { ...session.headers, 'mcp-protocol-version': version };
    const isPost = method === 'POST';
    const answer = isPost
      ? await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)
      : await openEvents(`${url}/mcp`, { method, headers });
    if ('close' in answer) answer.close();
    expect(answer.status).toBe(400);
    expect((await rpc(url, session, 'ping')).status).toBe(200);
  });
});

test('no session id is 400, an unknown one 404', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await post(url, ping)).status).toBe(400);
  for (const id of ['nobody', '__proto__', '00000000-0000-4000-8000-000000000000']) {
    expect((await post(url, ping, { 'mcp-session-id': id })).status).toBe(404);
  }
  expect((await fetched(`${url}/mcp`, { method: 'PUT' })).headers.allow).toBe('POST, GET, DELETE');
});
