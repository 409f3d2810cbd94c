import { describe, expect, test } from 'vitest';
import { served } from '../../../../../tests/support/served.js';
import type { Prompt } from '../../prompts/prompt.js';
import type { CompletionQuestion, ResourceSource } from '../../resources/resource.js';

const many = Array.from({ length: 101 }, (_, index) => `value-${index}`);

/** A prompt and a template that remember what they were asked. */
function completed() {
  const asked: CompletionQuestion[] = [];
  const complete = (values: readonly string[]) => async (question: CompletionQuestion) => {
    asked.push(question);
    return values;
  };
  const shown = { title: 'T', description: 'D', arguments: [], messages: async () => [] };
  const prompts: Prompt[] = [
    { name: 'full', ...shown, complete: complete(many) },
    { name: 'silent', ...shown },
  ];
  const source: ResourceSource = {
    resources: [],
    templates: [{ uriTemplate: 'test://{id}', name: 'test' }],
    read: async () => undefined,
    stamp: () => undefined,
    complete: complete(['a', 'b']),
  };
  const { open, request } = served({ extra: { prompts, resources: [source] } });
  const ask = (ref: object, more: object = {}) =>
    request('completion/complete', { ref, argument: { name: 'id', value: 'va' }, ...more });
  return { asked, open, ask };
}

describe('a completion', () => {
  test('gives a hundred values at most, and says that there are more', async () => {
    const { open, ask } = completed();
    await open();
    const { completion } = (await ask({ type: 'ref/prompt', name: 'full' })).result;
    expect(completion).toEqual({ values: many.slice(0, 100), hasMore: true });
  });

  test('of a template asks its source, with what was typed and chosen before, and for whom', async () => {
    const { asked, open, ask } = completed();
    await open();
    const chosen = { namespace: 'n' };
    const { result } = await ask({ type: 'ref/resource', uri: 'test://{id}' }, { context: { arguments: chosen } });
    expect(result.completion).toEqual({ values: ['a', 'b'], total: 2, hasMore: false });
    expect(asked).toEqual([{ of: 'test://{id}', argument: 'id', typed: 'va', chosen, principal: expect.any(String) }]);
  });

  test('is empty where nobody knows values', async () => {
    const { open, ask } = completed();
    await open();
    const { result } = await ask({ type: 'ref/prompt', name: 'silent' });
    expect(result.completion).toEqual({ values: [], total: 0, hasMore: false });
  });

  test.each([
    [{ type: 'ref/prompt', name: 'unknown' }],
    [{ type: 'ref/resource', uri: 'unknown://{id}' }],
    [{ type: 'ref/prompt', name: '__proto__' }],
  ])('of %j is refused: there is nothing of this name', async (ref) => {
    const { open, ask } = completed();
    await open();
    expect((await ask(ref)).error).toMatchObject({ code: -32602, data: { ref } });
  });

  test.each([
    ['a reference of another kind', { type: 'ref/tool', name: 'full' }, {}],
    [
      'text that is too long',
      { type: 'ref/prompt', name: 'full' },
      { argument: { name: 'a', value: 'x'.repeat(2001) } },
    ],
    ['no argument', { type: 'ref/prompt', name: 'full' }, { argument: undefined }],
  ])('with %s is refused', async (_what, ref, more) => {
    const { open, ask } = completed();
    await open();
    expect((await ask(ref, more)).error?.code).toBe(-32602);
  });
});

test('what the server knows itself is completed: the namespaces of memory', async () => {
  const { open, request } = served();
  await open();
  for (const namespace of ['plans', 'places', 'other']) {
    await request('tools/call', { name: 'memory_store', arguments: { key: 'k', namespace, value: 1 } });
  }
  const { result } = await request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'search_memory' },
    argument: { name: 'namespace', value: 'pl' },
  });
  expect([...result.completion.values].sort()).toEqual(['places', 'plans']);
});
