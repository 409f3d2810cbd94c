import { expect, test } from 'vitest';
import { compose, runTool } from './pipeline.js';
import { callOf, toolOf } from './testing.js';
import type { CallStep, Middleware, ToolContext } from './types.js';

test('the first layer listed is the outermost', async () => {
  const heard: string[] = [];
  const layer =
    (name: string): Middleware =>
    async (call, next) => {
      heard.push(`${name} in`);
      const answer = await next(call);
      heard.push(`${name} out`);
      return answer;
    };
  const handle = compose([layer('one'), layer('two')], async () => heard.push('handler'));
  await handle(callOf());
  expect(heard).toEqual(['one in', 'two in', 'handler', 'two out', 'one out']);
});

test('a layer may answer by itself', async () => {
  const handle = compose([async () => 'mine'], async () => {
    throw new Error('Nobody should come here');
  });
  expect(await handle(callOf())).toBe('mine');
});

test('without layers the handler is asked', async () => {
  expect(await compose([], async ({ input }) => input)(callOf({ input: 5 }))).toBe(5);
});

test('a layer decides what the next one sees', async () => {
  const handle = compose([(call, next) => next({ ...call, input: 'changed' })], async ({ input }) => input);
  const call = callOf({ input: 'first' });
  expect(await handle(call)).toBe('changed');
  expect(call.input).toBe('first');
});

test('a tool gets its input and what it may use of the call', async () => {
  const step: CallStep = { type: 'step.execute', at: 1 };
  const seen: { input?: unknown; context?: ToolContext } = {};
  const tool = toolOf({}, async (input, context) => {
    Object.assign(seen, { input, context });
    context.note(step);
    return 'done';
  });
  const call = callOf({ tool, input: { a: 1 }, principal: 'bob', workspace: '/there' });
  expect(await runTool(call)).toBe('done');
  expect(seen.input).toBe(call.input);
  expect(Object.keys(seen.context ?? {}).sort()).toEqual([
    'client',
    'log',
    'note',
    'principal',
    'progress',
    'workspace',
  ]);
  expect(seen.context).toMatchObject({ principal: 'bob', workspace: '/there', progress: call.context.progress });
  expect(seen.context?.signal).toBe(call.context.cancellation.signal);
  expect(call.facts.steps).toEqual([step]);
});
