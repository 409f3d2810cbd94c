import { defineContract } from '@automatosx/contracts';
import { implement } from '@automatosx/mcp-runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { served } from '../../../../../tests/support/served.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const talking = implement(
  defineContract({
    name: 'test_talk',
    title: 'Talk',
    description: 'A tool made for testing',
    category: 'query',
    effect: 'read',
    input: z.strictObject({}),
    output: z.looseObject({}),
    errors: [],
  }),
  async (_input, { log }) => {
    for (const level of ['debug', 'info', 'error'] as const) log(level, { said: level });
    return {};
  },
);

function setup() {
  const { open, request, messages } = served({ extra: { tools: [talking] } });
  /** The levels of what the tool said when it was called. */
  const heard = async (meta?: object) => {
    messages.length = 0;
    await request('tools/call', { name: 'test_talk', arguments: {}, ...(meta && { _meta: meta }) });
    return messages.flatMap(({ method, params }) =>
      method === 'notifications/message' && params.data.said ? [params.level] : [],
    );
  };
  return { open, request, heard };
}

test('a client hears what is as important as it asked for, and from info on where it did not', async () => {
  const { open, request, heard } = setup();
  await open();
  expect(await heard()).toEqual(['info', 'error']);
  expect((await request('logging/setLevel', { level: 'error' })).result).toEqual({});
  expect(await heard()).toEqual(['error']);
  await request('logging/setLevel', { level: 'debug' });
  expect(await heard()).toEqual(['debug', 'info', 'error']);
});

test('a level that there is not is refused, and the one before holds', async () => {
  const { open, request, heard } = setup();
  await open();
  for (const level of ['verbose', undefined, 3]) {
    expect((await request('logging/setLevel', { level })).error?.code).toBe(-32602);
  }
  expect(await heard()).toEqual(['info', 'error']);
});

test('a stateless request says what it wants to hear, else it hears nothing', async () => {
  const { request, heard } = setup();
  expect(await heard(META)).toEqual([]);
  expect(await heard({ ...META, 'io.modelcontextprotocol/logLevel': 'error' })).toEqual(['error']);
  expect(await heard({ ...META, 'io.modelcontextprotocol/logLevel': 'loud' })).toEqual([]);
  expect((await request('logging/setLevel', { level: 'error', _meta: META })).error?.code).toBe(-32601);
});
