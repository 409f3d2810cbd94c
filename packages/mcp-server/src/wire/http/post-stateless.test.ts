import { expect, test, vi } from 'vitest';
import { post, postForEvents, stateless, statelessRequest } from '../../../../../tests/support/http-requests.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';
import { taskTools } from '../../../../../tests/support/task-tools.js';
import { slowTools } from '../../../../../tests/support/websocket-client.js';

test('a request is answered without a handshake, and leaves no session', async () => {
  const { url, server } = await servedHttp();
  const { status, headers, message } = await stateless(url, 'tools/call', {
    name: 'memory_store',
    arguments: { key: 'a', value: 1 },
  });
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(message.result).toMatchObject({ resultType: 'complete', structuredContent: { success: true } });
  expect(headers).not.toHaveProperty('mcp-session-id');
  expect(server.metrics.text()).toContain('automatosx_sessions 0\n');
});

test.each([
  ['ping', {}, 404, -32601],
  ['tools/call', { name: 'unknown', arguments: {} }, 200, -32602],
  ['resources/read', { uri: 'nothing://here' }, 200, -32602],
])('an error of %s %j has the status %i', async (method, params, status, code) => {
  const { url } = await servedHttp();
  const given = await stateless(url, method, params);
  expect([given.status, given.message.error?.code]).toEqual([status, code]);
});

test('what comes before the answer makes it a stream, whose events have no places to come back to', async () => {
  const { url } = await servedHttp({ extra: { tools: taskTools } });
  const { message, headers } = statelessRequest('tools/call', {
    name: 'test_long',
    arguments: { ms: 10 },
    _meta: { progressToken: 'p' },
  });
  const stream = await postForEvents(url, message, headers);
  await stream.ended;
  expect(stream.messages.map(({ id, method }) => id ?? method)).toEqual(['notifications/progress', message.id]);
  for (const event of stream.events) expect(event).not.toHaveProperty('id');
});

test('closing the stream stops the work', async () => {
  const { tools, seen } = slowTools();
  const { url, server } = await servedHttp({ extra: { tools } });
  const { message, headers } = statelessRequest('tools/call', { name: 'test_wait', arguments: { ms: 20_000 } });
  const abort = new AbortController();
  const called = fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
    signal: abort.signal,
  }).catch(() => 'broken off');
  await vi.waitFor(() => expect(seen.started).toBe(1));
  expect(server.metrics.text()).toContain('automatosx_requests_in_flight 1\n');
  abort.abort();
  expect(await called).toBe('broken off');
  await vi.waitFor(() => expect(seen.cancelled).toBe(1));
  await vi.waitFor(() => expect(server.metrics.text()).toContain('automatosx_requests_in_flight 0\n'));
});

test('a subscription is one long answer, and ends with the server', async () => {
  const { url, close } = await servedHttp();
  const { message, headers } = statelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const stream = await postForEvents(url, message, headers);
  expect(await stream.next(({ method }) => method === 'notifications/subscriptions/acknowledged')).toBeDefined();
  await close();
  await stream.ended;
});

test('two requests with the same id do not meet', async () => {
  const { url } = await servedHttp({ extra: { tools: slowTools().tools } });
  const { message, headers } = statelessRequest('tools/call', { name: 'test_wait', arguments: { ms: 50 } });
  const answers = await Promise.all([post(url, message, headers), post(url, message, headers)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('listening needs a client that takes a stream', async () => {
  const { url } = await servedHttp();
  const { message, headers } = statelessRequest('subscriptions/listen', { notifications: {} });
  const { status } = await post(url, message, { ...headers, accept: 'application/json' });
  expect(status).toBe(406);
});
