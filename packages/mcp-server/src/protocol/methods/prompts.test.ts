import { describe, expect, test } from 'vitest';
import { served } from '../../../../../tests/support/served.js';
import type { Prompt } from '../../prompts/prompt.js';

const prompt: Prompt = {
  name: 'test-prompt',
  title: 'Test',
  description: 'A prompt made for testing',
  arguments: [
    { name: 'first', description: 'Needed', required: true },
    { name: 'toString', description: 'Needed too', required: true },
    { name: 'third', description: 'Not needed' },
  ],
  messages: async (given, { principal }) => [
    { role: 'user', content: { type: 'text', text: JSON.stringify({ ...given, principal }) } },
  ],
};

const opened = async (version?: string) => {
  const server = served({ extra: { prompts: [prompt] } });
  await server.open(version);
  return server;
};

test('prompts are listed without what makes them, and with a title where the version has one', async () => {
  for (const [version, title] of [
    ['2025-11-25', { title: 'Test' }],
    ['2025-03-26', {}],
  ] as const) {
    const { request } = await opened(version);
    const { prompts } = (await request('prompts/list')).result;
    const { messages, complete, title: left, ...shown } = prompt;
    expect(prompts).toContainEqual({ ...shown, ...title });
    expect(prompts.map(({ name }: Prompt) => name)).toEqual(expect.arrayContaining(['code-review', 'run_agent']));
  }
});

describe('a prompt', () => {
  test('is made of what was given, for who asks', async () => {
    const { request } = await opened();
    const given = { first: '1', toString: '2' };
    const { result } = await request('prompts/get', { name: 'test-prompt', arguments: given });
    expect(result.description).toBe('A prompt made for testing');
    expect(JSON.parse(result.messages[0].content.text)).toEqual({ ...given, principal: expect.any(String) });
  });

  test('that is not there is refused, and its name is not repeated at any length', async () => {
    const { request } = await opened();
    for (const name of ['unknown', '__proto__', 'n'.repeat(5000)]) {
      const { error } = await request('prompts/get', { name });
      expect(error).toMatchObject({ code: -32602, message: `Unknown prompt: ${name.slice(0, 200)}` });
    }
  });

  test('without what it needs is refused, and says what that is', async () => {
    const { request } = await opened();
    const { error } = await request('prompts/get', { name: 'test-prompt', arguments: { third: 'x' } });
    expect(error).toMatchObject({ code: -32602, data: { missing: ['first', 'toString'] } });
    const { error: none } = await request('prompts/get', { name: 'test-prompt' });
    expect(none?.message).toBe('The prompt test-prompt needs first, toString');
  });

  test.each([{ first: 1 }, { first: 'x'.repeat(100_001) }, []])(
    'with arguments like %.40j is refused',
    async (given) => {
      const { request } = await opened();
      expect((await request('prompts/get', { name: 'test-prompt', arguments: given })).error?.code).toBe(-32602);
    },
  );
});
