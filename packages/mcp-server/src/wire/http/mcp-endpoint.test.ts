import { defineContract } from '@automatosx/contracts';
import { implement, relay } from '@automatosx/mcp-runtime';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  fetched,
  openEvents,
  openSession,
  post,
  rpc,
  statelessRequest,
} from '../../../../../tests/support/http-requests.js';
import { servedHttp } from '../../../../../tests/support/served-http.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const NEW = { 'mcp-protocol-version': '2026-07-28' };

test.each(['PUT', 'PATCH', 'HEAD'])('%s is refused, and says what is served', async (method) => {
  const { url } = await servedHttp();
  const { status, headers } = await fetched(`${url}/mcp`, { method });
  expect([status, headers.allow]).toEqual([405, 'POST, GET, DELETE']);
});

describe('a POST', () => {
  test('that accepts neither JSON nor events is refused before a session is opened', async () => {
    const { url, server } = await servedHttp();
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const { status } = await post(
      url,
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { accept: 'text/html' },
    );
    expect(status).toBe(406);
    expect(server.metrics.text()).toContain('automatosx_sessions 0\n');
  });

  test('that is too large for what is configured is refused', async () => {
    const { url } = await servedHttp({ settings: { limits: { request: { maxRequestBytes: 2000 } } } });
    const { status } = await post(url, { jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'x'.repeat(2000) } });
    expect(status).toBe(413);
  });

  test.each([
    ['no message', 5, {}, 400],
    ['a batch without a session', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], {}, 400],
    ['no JSON', 'hello', {}, 400],
  ])('of %s is refused', async (_what, message, headers, status) => {
    const { url } = await servedHttp();
    expect((await post(url, message, headers)).status).toBe(status);
  });
});

describe('a request that carries its own version', () => {
  const { message, headers } = statelessRequest('tools/list');
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  const versioned = (meta: object) => ({ ...message, params: { _meta: meta } });

  test('is answered', async () => {
    const { url } = await servedHttp();
    const given = await post(url, message, headers);
    expect([given.status, given.message.result.resultType]).toEqual([200, 'complete']);
  });

  test.each([
    ['without its method in a header', message, without('mcp-method'), -32020],
    ['without its version in a header', message, without('mcp-protocol-version'), -32020],
    ['whose headers name another method', message, { ...headers, 'mcp-method': 'tools/call' }, -32020],
    [
      'whose headers name another version',
      versioned({ [VERSION]: '2026-07-28', [CAPABILITIES]: {} }),
      { ...headers, 'mcp-protocol-version': '2025-11-25' },
      -32020,
    ],
    [
      'of a version that there is not',
      versioned({ [VERSION]: '2099-01-01', [CAPABILITIES]: {} }),
      { ...headers, 'mcp-protocol-version': '2099-01-01' },
      -32022,
    ],
    ['without capabilities', versioned({ [VERSION]: '2026-07-28' }), headers, -32602],
    [
      'of the stateless era by its headers alone',
      { jsonrpc: '2.0', id: message.id, method: 'tools/list' },
      NEW,
      -32602,
    ],
    [
      'of a version in its headers that there is not',
      { jsonrpc: '2.0', id: message.id, method: 'tools/list' },
      { 'mcp-protocol-version': '2099-01-01' },
      -32022,
    ],
  ])('%s is refused with 400', async (_what, sent, sentHeaders, code) => {
    const { url } = await servedHttp();
    const given = await post(url, sent, sentHeaders);
    expect([given.status, given.message.error?.code, given.message.id]).toEqual([400, code, message.id]);
  });

  test('but is a notification is taken, though its body has no version', async () => {
    const { url } = await servedHttp();
    const { status } = await post(url, { jsonrpc: '2.0', method: 'notifications/x' }, NEW);
    expect(status).toBe(202);
  });

  test('and has no id that can be read is refused without one', async () => {
    const { url } = await servedHttp();
    const given = await post(url, { ...message, id: 1.5 }, without('mcp-method'));
    expect([given.status, given.message.id]).toEqual([400, null]);
  });
});

test('parameters that a relayed tool marks are compared with their headers', async () => {
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const theirs = relay({ name: 'theirs', inputSchema }, async () => ({ content: [] }));
  const { url } = await servedHttp({ extra: { tools: [theirs] } });
  const { message, headers } = statelessRequest('tools/call', { name: 'theirs', arguments: { region: 'eu' } });
  expect((await post(url, message, { ...headers, 'mcp-param-region': 'eu' })).status).toBe(200);
  const other = await post(url, message, { ...headers, 'mcp-param-region': 'us' });
  expect([other.status, other.message.error?.code]).toEqual([400, -32020]);
});

describe('GET', () => {
  const changing = () => {
    const declared = {
      title: 'T',
      description: 'A tool made for testing',
      category: 'query',
      effect: 'read',
      output: z.looseObject({}),
      errors: [],
    } as const;
    return implement(defineContract({ name: 'test_new', input: z.strictObject({}), ...declared }), async () => ({}));
  };

  test('opens the stream of the session: what answers nothing in particular', async () => {
    const { url, server } = await servedHttp();
    const { headers } = await openSession(url);
    const stream = await openEvents(`${url}/mcp`, { headers });
    expect(stream.status).toBe(200);
    server.catalog.add([changing()]);
    expect(await stream.next(({ method }) => method === 'notifications/tools/list_changed')).toBeDefined();
  });

  test.each(['text/event-stream', 'Text/Event-Stream', 'text/*', '*/*', 'application/json, text/event-stream;q=0.9'])(
    'may accept %s',
    async (accept) => {
      const { url } = await servedHttp();
      const { headers } = await openSession(url);
      const stream = await openEvents(`${url}/mcp`, { headers: { ...headers, accept } });
      stream.close();
      expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    },
  );

  test('is refused while another has the stream, and taken when it is gone', async () => {
    const { url } = await servedHttp();
    const { headers } = await openSession(url);
    const stream = await openEvents(`${url}/mcp`, { headers });
    expect((await fetched(`${url}/mcp`, { headers: { ...headers, accept: '*/*' } })).status).toBe(409);
    stream.close();
    await vi.waitFor(async () => {
      const again = await openEvents(`${url}/mcp`, { headers });
      again.close();
      expect(again.status).toBe(200);
    });
  });

  test('goes on after the event that it names', async () => {
    const { url, server } = await servedHttp();
    const { headers } = await openSession(url);
    for (let change = 0; change < 3; change++) {
      server.catalog.add([changing()]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const first = await openEvents(`${url}/mcp`, { headers });
    await first.next(() => true);
    const seen = first.messages.length;
    first.close();
    const again = await openEvents(`${url}/mcp`, { headers: { ...headers, 'last-event-id': 'own.0' } });
    await vi.waitFor(() => expect(again.messages.length).toBeGreaterThanOrEqual(seen));
    expect(again.events[0]?.id).toBe('own.1');
  });

  test.each([
    ['an event of a stream that there is not', { 'last-event-id': 'unknown.1' }, 404],
    ['no event at all', { 'last-event-id': '../..' }, 404],
    ['a version that sessions do not have', NEW, 400],
    ['a session that there is not', { 'mcp-session-id': 'unknown' }, 404],
    ['a type that it is not', { accept: 'application/json' }, 406],
  ])('that names %s is refused', async (_what, more, status) => {
    const { url } = await servedHttp();
    const { headers } = await openSession(url);
    const given = await fetched(`${url}/mcp`, { headers: { accept: 'text/event-stream', ...headers, ...more } });
    expect(given.status).toBe(status);
  });
});

describe('DELETE', () => {
  test('ends the session', async () => {
    const { url } = await servedHttp();
    const session = await openSession(url);
    const stream = await openEvents(`${url}/mcp`, { headers: session.headers });
    expect((await fetched(`${url}/mcp`, { method: 'DELETE', headers: session.headers })).status).toBe(204);
    await stream.ended;
    expect((await rpc(url, session, 'ping')).status).toBe(404);
    expect((await fetched(`${url}/mcp`, { method: 'DELETE', headers: session.headers })).status).toBe(404);
  });

  test('of no session, or of a version that sessions do not have, is refused', async () => {
    const { url } = await servedHttp();
    const { headers } = await openSession(url);
    expect((await fetched(`${url}/mcp`, { method: 'DELETE' })).status).toBe(400);
    expect((await fetched(`${url}/mcp`, { method: 'DELETE', headers: { ...headers, ...NEW } })).status).toBe(400);
  });
});
