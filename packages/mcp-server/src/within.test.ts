import { expect, test } from 'vitest';
import { within } from './within.js';

test('tells whether something came to pass in time', async () => {
  expect(await within(1000, Promise.resolve('done'))).toBe(true);
  expect(await within(5, new Promise(() => {}))).toBe(false);
});

test('a failure is a failure, not a delay', async () => {
  await expect(within(1000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
