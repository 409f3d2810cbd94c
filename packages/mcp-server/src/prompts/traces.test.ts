import { expect, onTestFinished, test } from 'vitest';
import { emptyStores } from '../resources/testing.js';
import { completed, got } from './testing.js';
import { tracePrompts } from './traces.js';

function traced() {
  const stores = emptyStores(onTestFinished);
  return { ...stores, prompts: tracePrompts(stores.traces) };
}

test('analyze_trace embeds what was found as text, and the trace as a resource', async () => {
  const { prompts, call } = traced();
  const traceId = await call({ status: 'failure', errorCode: 'NOT_FOUND', errorMessage: 'There is none' });
  const { text, resources } = await got(prompts, 'analyze_trace', { traceId });
  expect(text).toContain(`the trace '${traceId}', a call of memory_store`);
  expect(text).toContain('"summary": "memory_store failed after 5 ms with NOT_FOUND: There is none.');
  expect(text).toContain('2026-01-01T12:00:00.005Z tool.result failure');
  expect(resources).toEqual([{ uri: `traces://${traceId}`, mimeType: 'application/json', text: expect.any(String) }]);
  expect(JSON.parse(resources[0]?.text ?? '')).toMatchObject({ traceId, status: 'failure', eventCount: 5 });
});

test.each(['missing', '', '__proto__', '\0'])(
  'analyze_trace refuses the id %j, and that of somebody else',
  async (id) => {
    const { prompts, call } = traced();
    const bobs = await call({ principal: 'bob' });
    for (const traceId of [id, bobs]) {
      await expect(got(prompts, 'analyze_trace', { traceId })).rejects.toMatchObject({
        code: -32602,
        message: `There is no trace ${traceId}`,
        data: { traceId },
      });
    }
  },
);

test('ids are completed, newest first', async () => {
  const { prompts, call } = traced();
  const ids = [await call(), await call()];
  await call({ principal: 'bob' });
  expect(await completed(prompts, 'analyze_trace', ['traceId', ''])).toEqual([...ids].reverse());
  expect(await completed(prompts, 'analyze_trace', ['traceId', 'zzz'])).toEqual([]);
});
