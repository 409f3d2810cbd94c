import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  envelopeOf,
  fetched,
  type Headers,
  openSession,
  post,
  postForEvents,
  rpc,
  stateless,
  statelessRequest,
  until,
} from '../../support/http-requests.js';
import { type RunningServer, startHttpServer } from '../../support/http-server.js';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
});
afterAll(() => server.stop());

const callOf = (name: string, input: object = {}, meta = {}) => ({ name, arguments: input, _meta: meta });

/** A call as it should be, but for these headers; an empty one is left out. */
function withHeaders(headers: Headers, method = 'tools/call', params: object = callOf('test_echo')) {
  const { message, headers: right } = statelessRequest(method, params as Record<string, unknown>);
  const sent = Object.entries({ ...right, ...headers }).filter(([, value]) => value !== '');
  return post(url, message, Object.fromEntries(sent));
}

test('discover, lists, reads and calls are answered as JSON, and open no session', async () => {
  const discovered = await stateless(url, 'server/discover');
  expect(discovered).toMatchObject({ status: 200, message: { result: { supportedVersions: ['2026-07-28'] } } });
  for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
    const answer = await stateless(url, method);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect(answer.message.result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number) });
  }
  expect((await stateless(url, 'resources/read', { uri: 'memory://entries' })).status).toBe(200);
  expect(envelopeOf(await stateless(url, 'tools/call', callOf('test_echo', { a: 1 }))).data).toEqual({
    echo: { a: 1 },
  });
  expect((await fetched(`${url}/metrics`)).text).toMatch(/^automatosx_sessions 0$/m);
});

test('progress makes it a stream, whose events have no ids to come back to', async () => {
  const { message, headers } = statelessRequest('tools/call', callOf('test_wait', { ms: 30 }, { progressToken: 7 }));
  const stream = await postForEvents(url, message, headers);
  await stream.ended;
  expect(stream.messages.map(({ params }) => params?.progress)).toEqual([0, 1, undefined]);
  expect(stream.messages.at(-1)?.id).toBe(message.id);
  expect(stream.events.filter(({ id }) => id !== undefined)).toEqual([]);
});

test.each([true, false])('closing the connection cancels the work (as a stream: %s)', async (isStream) => {
  const before = await cancelledCalls();
  const meta = isStream ? { progressToken: 1 } : {};
  const { message, headers } = statelessRequest('tools/call', callOf('test_wait', { ms: 25_000 }, meta));
  if (isStream) {
    const stream = await postForEvents(url, message, headers);
    await stream.next(({ method }) => method === 'notifications/progress');
    stream.close();
  } else {
    const given = { 'content-type': 'application/json', ...headers };
    const signal = AbortSignal.timeout(300);
    await fetch(`${url}/mcp`, { method: 'POST', headers: given, body: JSON.stringify(message), signal }).catch(
      () => {},
    );
  }
  await until(async () => (await cancelledCalls()).length === before.length + 1);
  expect((await cancelledCalls())[0]?.toolCode).toBe('CANCELLED');
});

async function cancelledCalls(): Promise<{ toolCode?: string }[]> {
  const input = { toolName: 'test_wait', limit: 100 };
  const { traces } = envelopeOf(await stateless(url, 'tools/call', callOf('trace_list', input))).data;
  return traces.filter(({ toolCode }: { toolCode?: string }) => toolCode !== undefined);
}

test('subscriptions/listen acknowledges first, then tells what was asked for and nothing else', async () => {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['memory://entries'] };
  const { message, headers } = statelessRequest('subscriptions/listen', { notifications });
  const stream = await postForEvents(url, message, headers);
  await stream.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
  expect(stream.messages[0]?.params).toEqual({ _meta: { [SUBSCRIPTION_KEY]: message.id }, notifications });
  await stateless(url, 'tools/call', callOf('test_add_tool', { name: 'test_listened' }));
  await stateless(url, 'tools/call', callOf('memory_store', { key: 'k', value: 1 }));
  await stream.next(({ method }) => method === 'notifications/tools/list_changed');
  const updated = await stream.next(({ method }) => method === 'notifications/resources/updated');
  expect(updated?.params).toMatchObject({ uri: 'memory://entries', _meta: { [SUBSCRIPTION_KEY]: message.id } });
  stream.close();
  await until(async () => /^automatosx_requests_in_flight 0$/m.test((await fetched(`${url}/metrics`)).text));
});

describe('headers', () => {
  test.each<[string, Headers]>([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['a method in another case', { 'mcp-method': 'Tools/Call' }],
    ['no method', { 'mcp-method': '' }],
    ['another name', { 'mcp-name': 'memory_store' }],
    ['no name', { 'mcp-name': '' }],
    ['no version', { 'mcp-protocol-version': '' }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['another name in Base64', { 'mcp-name': `=?base64?${btoa('memory_store')}?=` }],
    ['a name that is no Base64', { 'mcp-name': '=?base64?***?=' }],
    ['a marker in another case', { 'mcp-name': `=?BASE64?${btoa('test_echo')}?=` }],
    ['the name __proto__', { 'mcp-name': '__proto__' }],
  ])('with %s are refused with 400 and -32020', async (_what, headers) => {
    expect(await withHeaders(headers)).toMatchObject({ status: 400, message: { error: { code: -32020 } } });
  });

  test('may hold a name in Base64', async () => {
    expect((await withHeaders({ 'mcp-name': `=?base64?${btoa('test_echo')}?=` })).status).toBe(200);
    const uri = 'memory://entries/default/Grüße 世界';
    const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`;
    const answer = await withHeaders({ 'mcp-name': encoded }, 'resources/read', { uri });
    expect(answer.message.error?.code).toBe(-32602);
  });

  test('that name a session or an event are ignored', async () => {
    const answer = await withHeaders({ 'mcp-session-id': 'nobody', 'last-event-id': 'own.1' });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });
});

test.each(['1900-01-01', '2025-11-25', '2027-01-01'])(
  'version %s is 400 and -32022, with what is supported',
  async (version) => {
    const params = { _meta: { [VERSION_KEY]: version } };
    const answer = await withHeaders({ 'mcp-protocol-version': version }, 'tools/list', params);
    expect(answer).toMatchObject({
      status: 400,
      message: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: version } } },
    });
  },
);

test.each(['x/y', 'ping', 'initialize', 'logging/setLevel', '__proto__'])('%s is 404 and -32601', async (method) => {
  const answer = await stateless(url, method, {});
  expect(answer).toMatchObject({ status: 404, message: { error: { code: -32601 } } });
});

test('a request without parts of its _meta is 400 and -32602', async () => {
  const without = [
    {},
    { _meta: {} },
    { _meta: { [CAPABILITIES_KEY]: {} } },
    { _meta: { [VERSION_KEY]: '2026-07-28' } },
  ];
  for (const params of without) {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list', params }, headers);
    expect(answer, JSON.stringify(params)).toMatchObject({ status: 400, message: { id: 1, error: { code: -32602 } } });
  }
});

test('a batch is refused', async () => {
  const { message, headers } = statelessRequest('tools/list');
  expect(await post(url, [message], headers)).toMatchObject({ status: 400, message: { error: { code: -32600 } } });
});

test('both eras are served at the same time', async () => {
  const session = await openSession(url, { version: '2025-06-18' });
  const rounds = Array.from({ length: 20 }, async (_, at) => {
    const index = at + 1;
    const [old, recent] = await Promise.all([
      rpc(url, session, 'tools/call', { name: 'test_echo', arguments: { index } }),
      stateless(url, 'tools/call', callOf('test_echo', { index: -index })),
    ]);
    expect([old.message.result.resultType, recent.message.result.resultType]).toEqual([undefined, 'complete']);
    expect([envelopeOf(old).data.echo.index, envelopeOf(recent).data.echo.index]).toEqual([index, -index]);
  });
  await Promise.all(rounds);
});
