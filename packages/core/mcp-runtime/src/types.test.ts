import { defineContract } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { callOf } from './testing.js';
import { implement } from './types.js';

test('a tool is a contract and the function that keeps it', async () => {
  const contract = defineContract({
    name: 'note_read',
    title: 'Read a note',
    description: 'Reads a note.',
    category: 'query',
    effect: 'read',
    input: z.strictObject({ id: z.int() }),
    output: z.object({ text: z.string() }),
    errors: [],
  });
  const tool = implement(contract, async ({ id }) => ({ text: `note ${id}` }));
  expect(tool.contract).toBe(contract);
  expect(
    await tool.run({ id: 7 } as never, { ...callOf().context, signal: new AbortController().signal, note: () => {} }),
  ).toEqual({ text: 'note 7' });
});
