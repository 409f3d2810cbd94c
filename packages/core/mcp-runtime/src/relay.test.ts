import { expect, test } from 'vitest';
import { relay } from './relay.js';
import { callOf } from './testing.js';
import type { ToolContext } from './types.js';

const definition = {
  name: 'theirs',
  title: 'Their tool',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  icons: [{ src: 'https://example.com/a.png' }],
};

test('a relayed tool is listed with the definition given, whole', () => {
  expect(relay(definition, async () => ({})).relayed).toBe(definition);
});

test('nothing is taken for granted of what it does, and any input reaches it', async () => {
  const { contract, run } = relay(definition, async (input: unknown) => ({ content: [input] }));
  expect(contract).toMatchObject({
    name: 'theirs',
    category: 'execution',
    effect: 'world',
    openWorld: true,
    idempotent: false,
    destructive: false,
    errors: [],
  });
  for (const input of [{}, 'text', [1], null]) {
    expect(contract.input.parse(input)).toBe(input);
    expect(await run(input as never, callOf().context as unknown as ToolContext)).toEqual({ content: [input] });
  }
});

test('what is known of it is said in its contract', () => {
  const { contract } = relay(definition, async () => ({}), { category: 'query', effect: 'read', idempotent: true });
  expect(contract).toMatchObject({ name: 'theirs', category: 'query', effect: 'read', idempotent: true });
});
