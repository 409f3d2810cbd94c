import { type ClientLogLevel, createCancellation, NO_CLIENT } from '@automatosx/mcp-runtime';
import { expect, test, vi } from 'vitest';
import { Request } from './request.js';

function setup(logLevel: ClientLogLevel | undefined) {
  const [notify, clientOf] = [vi.fn(), vi.fn(() => ({ ...NO_CLIENT }))];
  const request = new Request({
    id: 7,
    version: '2025-11-25',
    era: 'handshake',
    principal: 'ada',
    isLocal: true,
    workspace: () => '/',
    sizeBytes: 10,
    cancellation: createCancellation(),
    state: { logLevel: 'info', subscriptions: new Set() },
    isFull: () => false,
    notify,
    logLevel,
    clientOf,
  });
  return { request, notify, clientOf };
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

test.each([
  ['debug', LEVELS],
  ['warning', ['warning', 'error', 'critical', 'alert', 'emergency']],
  ['emergency', ['emergency']],
  [undefined, []],
] as const)('a client that wants to hear from %s on hears %j', (wanted, heard) => {
  const { request, notify } = setup(wanted);
  for (const level of LEVELS) request.log(level, { about: level });
  expect(notify.mock.calls).toEqual(
    heard.map((level) => ['notifications/message', { level, logger: 'automatosx', data: { about: level } }]),
  );
});

test('the client is made when it is needed, and once', () => {
  const { request, clientOf } = setup('info');
  expect(clientOf).not.toHaveBeenCalled();
  expect(request.client).toBe(request.client);
  expect(clientOf).toHaveBeenCalledTimes(1);
});

test('its log may be handed on by itself', () => {
  const { request, notify } = setup('info');
  const { log } = request;
  log('error', 'text');
  expect(notify).toHaveBeenCalledExactlyOnceWith('notifications/message', {
    level: 'error',
    logger: 'automatosx',
    data: 'text',
  });
});
