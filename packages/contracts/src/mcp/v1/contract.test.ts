import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineContract } from './contract.js';

const declared = {
  name: 'note_read',
  title: 'Read a note',
  description: 'Reads a note.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({}),
  errors: [],
} as const;

test('INV-MCP-004: what a declaration does not say is the harmless answer, and reading is idempotent', () => {
  expect(defineContract(declared)).toEqual({
    ...declared,
    idempotent: true,
    destructive: false,
    openWorld: false,
    freeForm: [],
  });
});

test.each(['store', 'world'] as const)(
  'INV-MCP-004: a change of the %s is not idempotent unless it says so',
  (effect) => {
    expect(defineContract({ ...declared, effect }).idempotent).toBe(false);
    expect(defineContract({ ...declared, effect, idempotent: true }).idempotent).toBe(true);
  },
);

test('a read may say that it is not idempotent', () => {
  expect(defineContract({ ...declared, idempotent: false }).idempotent).toBe(false);
});

test('what is declared is kept', () => {
  const more = { destructive: true, openWorld: true, freeForm: ['value'], cacheUntil: ['notes'] };
  expect(defineContract({ ...declared, ...more })).toMatchObject(more);
});
