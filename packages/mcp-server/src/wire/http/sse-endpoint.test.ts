import { describe, expect, test, vi } from 'vitest';
import { fetched, openEvents } from '../../../../../tests/support/http-requests.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';
import { slowTools } from '../../../../../tests/support/websocket-client.js';

const OPENING = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** A client of 2024-11-05: a stream, and the address that it names. */
async function connected(url: string, headers = {}) {
  const stream = await openEvents(`${url}/sse`, { headers });
  await vi.waitFor(() => expect(stream.events).not.toHaveLength(0));
  const path = stream.events[0]?.data;
  const send = (message: object, more = {}) =>
    fetched(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const request = async (id: number, method: string, params: object = {}) => {
    await send({ id, method, params });
    return stream.next((message) => message.id === id);
  };
  return { stream, path, send, request };
}

const sessionsOf = ({ server }: Awaited<ReturnType<typeof servedHttp>>) =>
  Number(/^automatosx_sessions (\d+)$/m.exec(server.metrics.text())?.[1]);

describe('the stream', () => {
  test('begins with the address for messages, and carries what they cause', async () => {
    const { url } = await servedHttp();
    const { stream, path, send, request } = await connected(url);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    expect(stream.events[0]?.event).toBe('endpoint');
    expect(path).toMatch(/^\/messages\?sessionId=[\w-]{36}$/);
    const { status, text } = await send({ id: 1, method: 'initialize', params: OPENING });
    expect([status, text]).toEqual([202, 'Accepted']);
    expect((await stream.next(({ id }) => id === 1))?.result.protocolVersion).toBe('2024-11-05');
    expect((await request(2, 'ping'))?.result).toEqual({});
  });

  test('ends its session when it ends, and stops what that was doing', async () => {
    const { tools, seen } = slowTools();
    const served = await servedHttp({ extra: { tools } });
    const { stream, send, request } = await connected(served.url);
    await request(1, 'initialize', OPENING);
    await send({ id: 2, method: 'tools/call', params: { name: 'test_wait', arguments: { ms: 20_000 } } });
    await vi.waitFor(() => expect(seen.started).toBe(1));
    expect(sessionsOf(served)).toBe(1);
    stream.close();
    await vi.waitFor(() => expect(seen.cancelled).toBe(1));
    expect(sessionsOf(served)).toBe(0);
    expect((await send({ id: 3, method: 'ping' })).status).toBe(404);
  });

  test('ends after the answer to the request for its end', async () => {
    const served = await servedHttp();
    const { stream, request } = await connected(served.url);
    await request(1, 'initialize', OPENING);
    expect((await request(2, 'shutdown'))?.result).toEqual({});
    await stream.ended;
    await vi.waitFor(() => expect(sessionsOf(served)).toBe(0));
  });

  test('is kept alive while nothing happens, and does not count as idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const served = await servedHttp();
      const response = await fetch(`${served.url}/sse`);
      const reader = response.body?.getReader();
      const read = async () => new TextDecoder().decode((await reader?.read())?.value);
      expect(await read()).toContain('event: endpoint');
      vi.advanceTimersByTime(15_000);
      expect(await read()).toBe(':\n\n');
      await reader?.cancel();
    } finally {
      vi.useRealTimers();
    }
  });

  test('of a client that reads nothing of many megabytes is cut off', async () => {
    const served = await servedHttp({
      extra: { tools: slowTools().tools },
      settings: { limits: { response: { maxResponseBytes: 10_000_000 } } },
    });
    const { stream, send, request } = await connected(served.url);
    await request(1, 'initialize', OPENING);
    stream.pause();
    const arguments_ = { bytes: 4_000_000, ms: 0 };
    for (let id = 2; id < 12 && sessionsOf(served) > 0; id++) {
      await send({ id, method: 'tools/call', params: { name: 'test_size', arguments: arguments_ } });
    }
    await vi.waitFor(() => expect(sessionsOf(served)).toBe(0), { timeout: 10_000 });
  });
});

describe('a message', () => {
  test.each([
    ['/messages', 'POST', 400],
    ['/messages?sessionId=unknown', 'POST', 404],
    ['/messages?sessionId=unknown', 'GET', 405],
    ['/sse', 'POST', 405],
  ])('to %s by %s is refused with %i', async (path, method, status) => {
    const { url } = await servedHttp();
    const headers = { 'content-type': 'application/json' };
    const given = await fetched(`${url}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    expect(given.status).toBe(status);
  });

  test('that cannot be read is refused', async () => {
    const { url } = await servedHttp();
    const { send } = await connected(url);
    expect((await send({ id: 1, method: 'ping' }, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('to the session of another principal is refused', async () => {
    const tokens = [
      { subject: 'ada', env: 'ADA' },
      { subject: 'bob', env: 'BOB' },
    ];
    const { url } = await servedHttp({ settings: { server: { tokens } }, environment: { ADA: 'a', BOB: 'b' } });
    const { send } = await connected(url, { authorization: 'Bearer a' });
    expect((await send({ id: 1, method: 'ping' }, { authorization: 'Bearer b' })).status).toBe(404);
    expect((await send({ id: 1, method: 'ping' })).status).toBe(202);
  });
});
