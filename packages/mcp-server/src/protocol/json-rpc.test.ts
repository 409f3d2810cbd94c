import { expect, test } from 'vitest';
import {
  errorText,
  isObject,
  isRequestId,
  notificationText,
  RPC,
  RpcError,
  requestText,
  resultText,
} from './json-rpc.js';

test('the codes are those of the specifications', () => {
  expect(RPC).toMatchObject({
    parseError: -32700,
    invalidRequest: -32600,
    methodNotFound: -32601,
    invalidParams: -32602,
    internalError: -32603,
    busy: -32000,
    resourceNotFound: -32002,
    unsupportedVersion: -32022,
  });
});

test.each(['', 'a', 0, -1, Number.MAX_SAFE_INTEGER])('%j is an id', (id) => {
  expect(isRequestId(id)).toBe(true);
});

test.each([undefined, null, true, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, {}, []])('%j is none', (id) => {
  expect(isRequestId(id)).toBe(false);
});

test('a list and null are no objects', () => {
  expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

test('messages are one line each, whatever they hold', () => {
  const texts = [
    resultText('a\n', '"text":"b"'),
    errorText('\ud800', new RpcError(-32600, 'two\nlines', { more: '\r\n' })),
    notificationText('x', { message: '\u2028\n' }),
    requestText('id', 'roots/list'),
  ];
  for (const text of texts) {
    expect(text).not.toMatch(/[\r\n]/);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
  }
  expect(JSON.parse(errorText(null, new RpcError(-32700, 'bad')))).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'bad' },
  });
});
