import { expect, onTestFinished, test } from 'vitest';
import { emptyStores } from '../resources/testing.js';
import { debugPrompts } from './debug.js';
import { got } from './testing.js';

const gone = { status: 'failure', errorCode: 'NOT_FOUND', toolCode: 'SESSION_NOT_FOUND' } as const;
const slow = {
  status: 'failure',
  errorCode: 'TOOL_TIMEOUT',
  errorMessage: 'memory_search took longer than 5 ms',
} as const;

function traced() {
  const stores = emptyStores(onTestFinished);
  return { ...stores, prompts: debugPrompts(stores.traces) };
}

test('debug-assist names the error and its context', async () => {
  const { prompts, call } = traced();
  await call(slow);
  const given = { error_message: 'TypeError: x is not a function', context: 'after the update' };
  const { text } = await got(prompts, 'debug-assist', given);
  expect(text).toContain('Error:\n<data-1>\nTypeError: x is not a function\n</data-1>');
  expect(text).toContain('Context:\n<data-1>\nafter the update\n</data-1>');
  expect(text).not.toContain('traces://');
});

test.each([
  ['There is no session 42', 'gone'],
  ['NOT_FOUND (SESSION_NOT_FOUND): There is no session abc', 'gone'],
  ['timeout', 'slow'],
  ['Error: TOOL_TIMEOUT', 'slow'],
  ['memory_search took longer than 900 ms', 'slow'],
])('debug-assist embeds the failures that %j fits, and no others', async (error_message, fitting) => {
  const { prompts, call } = traced();
  const ids = {
    gone: await call({ ...gone, errorMessage: 'There is no session 7', input: '{"sessionId":"7"}' }),
    slow: await call({ ...slow, toolName: 'memory_search' }),
  };
  await call({ ...gone, principal: 'bob', errorMessage: 'There is no session 9' });
  await call();
  const { text } = await got(prompts, 'debug-assist', { error_message });
  const embedded = [...text.matchAll(/traces:\/\/([\w-]+)/g)].map(([, id]) => id);
  expect(embedded).toEqual([ids[fitting as keyof typeof ids]]);
  expect(text).toContain(fitting === 'gone' ? 'Input: {"sessionId":"7"}' : 'Recommended: Give memory_search more time');
});

test('debug-assist embeds the newest five', async () => {
  const { prompts, call } = traced();
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) ids.push(await call(slow));
  const { text } = await got(prompts, 'debug-assist', { error_message: 'timeout' });
  const embedded = [...text.matchAll(/traces:\/\/([\w-]+)/g)].map(([, id]) => id);
  expect(embedded).toEqual(ids.slice(2).reverse());
});

test.each(['', '?', 'a b'])('an error without words, such as %j, fits nothing', async (error_message) => {
  const { prompts, call } = traced();
  await call(slow);
  expect((await got(prompts, 'debug-assist', { error_message })).text).not.toContain('traces://');
});
