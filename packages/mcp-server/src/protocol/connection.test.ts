import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createAdmissions } from './admission.js';
import { createConnection } from './connection.js';
import { type ConnectionOptions, GRACE_MS } from './connection-options.js';
import { createIdentity } from './identity.js';
import type { Method } from './method.js';
import type { RequestContext } from './request.js';
import { createRequestStates } from './request-state.js';

const OPENING = { protocolVersion: '2025-03-26', capabilities: { roots: {} }, clientInfo: { name: 'a', version: '1' } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const WHO = { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } };

const method = (handle: Method['handle'], rest: Partial<Method> = {}): Method => ({
  eras: ['handshake', 'stateless'],
  params: z.looseObject({}).optional() as unknown as Method['params'],
  handle,
  ...rest,
});

function setup(more: Record<string, Method> = {}) {
  const sent: unknown[] = [];
  const [onShutdown, onClientReady, log] = [vi.fn(), vi.fn(), vi.fn()];
  const onOpen = vi.fn(() => () => {});
  const methods = new Map<string, Method>([
    ['initialize', method(() => ({}), { eras: ['handshake'] })],
    ['shutdown', method(() => ({}), { eras: ['handshake'] })],
    ['ping', method(() => ({}))],
    ...Object.entries(more),
  ]);
  const options: ConnectionOptions = {
    methods,
    principal: 'user',
    isLocal: true,
    workspace: () => '/',
    identity: createIdentity(
      () => WHO['io.modelcontextprotocol/serverInfo'],
      () => WHO,
    ),
    requestStates: createRequestStates({ key: async () => Buffer.alloc(32), now: Date.now }),
    admission: createAdmissions(),
    onOpen,
    send: (message) => sent.push(JSON.parse(message)),
    onShutdown,
    onClientReady,
    log,
  };
  const connection = createConnection(options);
  const receive = (message: unknown) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    connection.receive(text, Buffer.byteLength(text));
  };
  const ask = (id: string, name: string, params?: unknown) => receive({ jsonrpc: '2.0', id, method: name, params });
  return { ...connection, sent, ask, receive, onOpen, onShutdown, onClientReady, log };
}

test('a method is given what the connection knows of the request', async () => {
  const seen: RequestContext[] = [];
  const { ask, sent } = setup({ look: method((_params, context) => ({ seen: seen.push(context) })) });
  ask('open', 'initialize', OPENING);
  ask('old', 'look');
  ask('new', 'look', { _meta: META });
  await sleep(1);
  expect(seen).toMatchObject([
    { version: '2025-03-26', era: 'handshake', principal: 'user', isLocal: true },
    { version: '2026-07-28', era: 'stateless', principal: 'user' },
  ]);
  expect(seen[0]?.sizeBytes).toBe(JSON.stringify({ jsonrpc: '2.0', id: 'old', method: 'look' }).length);
  expect(seen[0]?.workspace()).toBe('/');
  expect(sent).toContainEqual({ jsonrpc: '2.0', id: 'old', result: { seen: 1 } });
  expect(sent).toContainEqual({ jsonrpc: '2.0', id: 'new', result: { seen: 2, resultType: 'complete', _meta: WHO } });
});

test('what may be kept says so to stateless clients only, also where a result is empty or text', async () => {
  const cacheable = { ttlMs: 5, cacheScope: 'public' } as const;
  const { ask, sent } = setup({ list: method(() => ({}), { cacheable }), text: method(() => '"a":1') });
  ask('open', 'initialize', OPENING);
  ask('old', 'list');
  ask('new', 'list', { _meta: META });
  ask('text', 'text', { _meta: META });
  await sleep(1);
  expect(sent.slice(1)).toEqual([
    { jsonrpc: '2.0', id: 'old', result: {} },
    { jsonrpc: '2.0', id: 'new', result: { ...cacheable, resultType: 'complete', _meta: WHO } },
    { jsonrpc: '2.0', id: 'text', result: { a: 1, resultType: 'complete', _meta: WHO } },
  ]);
});

test('an error that nobody foresaw is -32603 without its words, and is logged', async () => {
  const error = new TypeError('/home/me/secret');
  const { ask, sent, log } = setup({ bug: method(() => Promise.reject(error)) });
  ask('a', 'bug', { _meta: META });
  await sleep(1);
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 'a', error: { code: -32603, message: 'Internal error' } }]);
  expect(log).toHaveBeenCalledWith('error', expect.any(String), { error });
});

test('nothing is sent for a request that was cancelled, whether it then succeeds or fails', async () => {
  let notify: RequestContext['notify'] = () => {};
  const { ask, receive, sent } = setup({
    late: method(async (_params, context) => {
      notify = context.notify;
      await sleep(10);
      return {};
    }),
    failing: method((_params, { cancellation: { signal } }) => sleep(1000, {}, { signal })),
  });
  ask('a', 'late', { _meta: META });
  ask('b', 'failing', { _meta: META });
  for (const requestId of ['a', 'b']) {
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
  notify('notifications/progress', { progress: 1 });
  await sleep(30);
  expect(sent).toEqual([]);
});

test('a notification of a request that runs is sent', async () => {
  const { ask, sent } = setup({
    tell: method((_params, { notify }) => {
      notify('notifications/progress', { progress: 1 });
      return {};
    }),
  });
  ask('a', 'tell', { _meta: META });
  await sleep(1);
  expect(sent[0]).toEqual({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });
});

test('the owner hears of the handshake and of changed roots, but not before there was one', async () => {
  const { ask, receive, onClientReady } = setup();
  receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(onClientReady).not.toHaveBeenCalled();
  ask('open', 'initialize', OPENING);
  receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  receive({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  expect(onClientReady).toHaveBeenCalledTimes(2);
  expect(onClientReady.mock.calls[0]?.[0]).toEqual({ roots: {} });
});

test('shutdown waits for what runs, is answered, and then tells the owner', async () => {
  const { ask, sent, onShutdown } = setup({ slow: method(() => sleep(30, {})) });
  ask('open', 'initialize', OPENING);
  ask('slow', 'slow');
  ask('end', 'shutdown');
  await sleep(5);
  expect(onShutdown).not.toHaveBeenCalled();
  await vi.waitUntil(() => onShutdown.mock.calls.length > 0);
  await sleep(1);
  expect(sent.map((message) => (message as { id: string }).id)).toEqual(['open', 'slow', 'end']);
});

test('drained, it takes no more requests', async () => {
  const { ask, drain, sent } = setup();
  await drain(GRACE_MS);
  ask('late', 'ping');
  await sleep(1);
  expect(sent).toMatchObject([{ id: 'late', error: { code: -32000, data: { code: 'SERVICE_UNAVAILABLE' } } }]);
});

test('every request is told of at debug level, without what it says', async () => {
  const { ask, receive, log } = setup();
  ask('a', 'ping', { secret: 'x' });
  receive({ jsonrpc: '2.0', id: 'b', method: 5 });
  await sleep(1);
  expect(log.mock.calls).toEqual([
    ['debug', expect.any(String), { method: undefined, durationMs: expect.any(Number) }],
    ['debug', expect.any(String), { method: 'ping', durationMs: expect.any(Number) }],
  ]);
});

test('a connection that has ended hears of no changes any more, even if the handshake ends after it', async () => {
  const { ask, receive, drain, onOpen } = setup();
  ask('open', 'initialize', OPENING);
  await drain(0);
  receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(onOpen).not.toHaveBeenCalled();
});
