import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { ask, fetched } from '../../../../../tests/support/http-requests.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import { Refusal, sendJson, sendRefusal } from './refusal.js';

const answeredWith = async (refusal: Refusal) =>
  fetched(await servedBy((_request, response) => sendRefusal(response, refusal)));

test('a refusal is a status with an error of JSON-RPC', async () => {
  const refusal = Refusal.of(404, 'There is no Zoë', { data: { a: 1 }, headers: { allow: 'GET' } });
  const { status, headers, message, text } = await answeredWith(refusal);
  expect(status).toBe(404);
  expect(headers).toMatchObject({ 'content-type': 'application/json', allow: 'GET' });
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'There is no Zoë', data: { a: 1 } },
  });
});

test('it bears the id of the request, where that could be read', async () => {
  expect((await answeredWith(Refusal.of(400, 'no', { id: 'a' }))).message.id).toBe('a');
  expect((await answeredWith(Refusal.of(400, 'no', { id: 0 }))).message.id).toBe(0);
});

test('it can be told as the answer to a request, with all else as it was', async () => {
  const { status, headers, message } = await answeredWith(Refusal.tooMany('Too many', 1000).about('a'));
  expect([status, headers['retry-after'], message.id, message.error?.code]).toEqual([429, '1', 'a', -32000]);
});

test('a server that is shutting down says so, and ends the connection', async () => {
  const { status, headers, message } = await answeredWith(Refusal.stopping());
  expect([status, headers.connection, message.error?.data]).toEqual([503, 'close', { code: 'SERVICE_UNAVAILABLE' }]);
});

test('a bug tells nothing', async () => {
  const { status, message } = await answeredWith(Refusal.bug());
  expect([status, message.error]).toEqual([500, { code: -32603, message: 'Internal error' }]);
});

test('too many says when to come again, in whole seconds for HTTP', async () => {
  const { status, headers, message } = await answeredWith(Refusal.tooMany('Too many', 1500));
  expect([status, headers['retry-after']]).toEqual([429, '2']);
  expect(message.error).toEqual({
    code: -32000,
    message: 'Too many',
    data: { code: 'RATE_LIMITED', retryAfterMs: 1500 },
  });
});

test('a client that does not take a long answer for half a minute is cut off', async () => {
  let sent: ServerResponse | undefined;
  const url = await servedBy((_request, response) => {
    sent = response;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    sendJson(response, { status: 200, text: JSON.stringify('x'.repeat(20_000_000)) });
  });
  try {
    // The body is left unread.
    await ask(url);
    vi.advanceTimersByTime(29_999);
    expect(sent?.socket?.destroyed).toBe(false);
    const closed = new Promise((resolve) => sent?.once('close', () => resolve('cut off')));
    vi.advanceTimersByTime(1);
    expect(await closed).toBe('cut off');
  } finally {
    vi.useRealTimers();
  }
});

test('who has taken a long answer keeps the connection, and no timer is left', async () => {
  let left: number | undefined;
  const url = await servedBy((_request, response) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    response.once('close', () => setImmediate(() => (left = vi.getTimerCount())));
    sendJson(response, { status: 200, text: JSON.stringify({ text: 'x'.repeat(1_000_000) }) });
  });
  try {
    const response = await ask(url);
    let length = 0;
    for await (const chunk of response) length += chunk.length;
    expect(length).toBe(1_000_011);
    while (left === undefined) await new Promise(setImmediate);
    expect(left).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
