import { ToolError } from '@automatosx/contracts';
import { expect, test, vi } from 'vitest';
import { InputRequired } from '../client.js';
import { callOf, failureOf } from '../testing.js';
import { errors } from './errors.js';

test('an answer passes', async () => {
  const log = vi.fn();
  expect(await errors(log)(callOf(), async () => 'done')).toBe('done');
  expect(log).not.toHaveBeenCalled();
});

test('a ToolError passes as it is, and is no news to the log', async () => {
  const log = vi.fn();
  const error = new ToolError('SESSION_NOT_FOUND', 'No session');
  expect(await failureOf(() => errors(log)(callOf(), () => Promise.reject(error)))).toBe(error);
  expect(log).not.toHaveBeenCalled();
});

test.each([
  ['an Error', new TypeError('Cannot read /home/ada/.secret')],
  ['a text', '/home/ada/.secret'],
  ['nothing', undefined],
  ['a look-alike', { name: 'ToolError', code: 'NOT_FOUND', message: '/home/ada/.secret' }],
])('INV-MCP-RESP-002: %s that was thrown is an INTERNAL_ERROR, and its text stays inside', async (_what, bug) => {
  const log = vi.fn();
  const error = await failureOf(() => errors(log)(callOf(), () => Promise.reject(bug)));
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', toolCode: undefined, context: undefined });
  expect(error.message).toBe('The server failed in a way it did not foresee; its log says more');
  expect(error.cause).toBe(bug);
  expect(log.mock.calls).toEqual([['A tool failed in a way it does not declare', { tool: 'note_write', error: bug }]]);
});

test('a layer that throws before it waits for anything is caught like any other', async () => {
  const throwing = () => {
    throw new TypeError('x is not a function');
  };
  expect((await failureOf(() => errors(() => {})(callOf(), throwing))).code).toBe('INTERNAL_ERROR');
});

test('a call that waits for its client is no failure: it passes as it is, and is no news to the log', async () => {
  const log = vi.fn();
  const waiting = new InputRequired({ folders: { method: 'roots/list' } });
  await expect(errors(log)(callOf(), () => Promise.reject(waiting))).rejects.toBe(waiting);
  expect(log).not.toHaveBeenCalled();
});
