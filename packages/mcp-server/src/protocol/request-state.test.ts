import { describe, expect, test } from 'vitest';
import { served } from '../../../../tests/support/served.js';
import { taskTools } from '../../../../tests/support/task-tools.js';
import { createRequestStates, type Question } from './request-state.js';

const HOUR_MS = 3_600_000;

function setup(key = Buffer.alloc(32, 1)) {
  const clock = { now: 1_000 };
  return { clock, states: createRequestStates({ key: async () => key, now: () => clock.now }) };
}

const question = (more: object = {}, rest: Partial<Question> = {}): Question => ({
  principal: 'ada',
  method: 'tools/call',
  params: { name: 'ask', arguments: { a: 1, b: [2] }, ...more },
  ...rest,
});

const refused = (message: RegExp) => ({ code: -32602, message: expect.stringMatching(message) });
const FOREIGN = refused(/not one that the server gave for this request/);

describe('answers', () => {
  test('are those in the request where there was no round before', async () => {
    const { states } = setup();
    expect(await states.open(question())).toEqual({});
    expect(await states.open(question({ inputResponses: { name: 'Ada' } }))).toEqual({ name: 'Ada' });
    expect(await states.open(question({}, { params: undefined }))).toEqual({});
  });

  test('accumulate from round to round, and the newest counts', async () => {
    const { states } = setup();
    const requestState = await states.seal(question(), { first: 1, second: 'old' });
    const next = question({ requestState, inputResponses: { second: 'new', third: 3 } });
    expect(await states.open(next)).toEqual({ first: 1, second: 'new', third: 3 });
    expect(await states.open(question({ requestState }))).toEqual({ first: 1, second: 'old' });
  });

  test('may have any name', async () => {
    const { states } = setup();
    const given = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    const requestState = await states.seal(question(), given);
    const opened = await states.open(question({ requestState, inputResponses: JSON.parse('{"__proto__":{"b":2}}') }));
    expect(JSON.stringify(opened)).toBe('{"__proto__":{"b":2},"constructor":2}');
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  test.each([null, 5, 'text', []])('of the shape %j are refused', async (inputResponses) => {
    await expect(setup().states.open(question({ inputResponses }))).rejects.toMatchObject(refused(/inputResponses/));
  });
});

describe('a state', () => {
  test('is for the request that it was given for, whatever its _meta says and however its keys are ordered', async () => {
    const { states } = setup();
    const requestState = await states.seal(question(), { name: 'Ada' });
    const reordered = { arguments: { b: [2], a: 1 }, name: 'ask', _meta: { progressToken: 7 }, requestState };
    expect(await states.open(question({}, { params: reordered }))).toEqual({ name: 'Ada' });
  });

  test.each([
    ['principal', question({}, { principal: 'bob' })],
    ['method', question({}, { method: 'prompts/get' })],
    ['tool', question({ name: 'other' })],
    ['arguments', question({ arguments: { a: 1, b: [3] } })],
  ])('is refused for another %s', async (_what, other) => {
    const { states } = setup();
    const requestState = await states.seal(question(), {});
    const params = { ...(other.params as object), requestState };
    await expect(states.open({ ...other, params })).rejects.toMatchObject(FOREIGN);
  });

  test('is refused where one character of it was changed, wherever', async () => {
    const { states } = setup();
    const whole = await states.seal(question(), { name: 'Ada' });
    const dot = whole.indexOf('.');
    for (const at of [0, 5, dot - 1, dot, dot + 1, dot + 10]) {
      const requestState = `${whole.slice(0, at)}${whole[at] === 'A' ? 'B' : 'A'}${whole.slice(at + 1)}`;
      await expect(states.open(question({ requestState }))).rejects.toMatchObject(FOREIGN);
    }
  });

  test('is refused where the server has another key', async () => {
    const requestState = await setup(Buffer.alloc(32, 2)).states.seal(question(), {});
    await expect(setup().states.open(question({ requestState }))).rejects.toMatchObject(FOREIGN);
  });

  test.each([null, 5, {}, [], '', '.', 'e30.', 'e30', '.e30', 'hello', 'a'.repeat(2 * 1024 * 1024)])(
    'that is none of ours is refused',
    async (requestState) => {
      await expect(setup().states.open(question({ requestState }))).rejects.toMatchObject(FOREIGN);
    },
  );

  test('is refused where it is too long to be looked at', async () => {
    const { states } = setup();
    await expect(states.open(question({ requestState: 'x'.repeat(1024 * 1024 + 45) }))).rejects.toMatchObject(FOREIGN);
  });

  test('that would be too long is not given out', async () => {
    const { states } = setup();
    const answers = { long: 'x'.repeat(1024 * 1024) };
    await expect(states.seal(question(), answers)).rejects.toMatchObject(refused(/too long/));
  });

  test('expires after an hour', async () => {
    const { states, clock } = setup();
    const requestState = await states.seal(question(), { name: 'Ada' });
    clock.now += HOUR_MS;
    expect(await states.open(question({ requestState }))).toEqual({ name: 'Ada' });
    clock.now += 1;
    await expect(states.open(question({ requestState }))).rejects.toMatchObject(refused(/expired/));
  });
});

test('a call goes round until everything is answered, and each round keeps the answers of those before', async () => {
  const { request } = served({ extra: { tools: taskTools } });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const call = (more: object = {}) =>
    request('tools/call', { name: 'test_ask', arguments: { rounds: 1 }, _meta, ...more });
  const accepted = (name: string) => ({ action: 'accept', content: { name } });

  const first = (await call()).result;
  expect(first).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  expect(Object.keys(first.inputRequests)).toEqual(['first', 'last']);
  const { requestState: afterFirst } = first;
  const second = (await call({ requestState: afterFirst, inputResponses: { first: accepted('Ada') } })).result;
  expect(Object.keys(second.inputRequests)).toEqual(['last']);
  const { requestState: afterSecond } = second;
  const third = (await call({ requestState: afterSecond, inputResponses: { last: accepted('Lovelace') } })).result;
  expect(third.structuredContent.data).toEqual({ names: [[accepted('Ada'), accepted('Lovelace')]] });
  const { error } = await call({ requestState: afterSecond, arguments: { rounds: 2 } });
  expect(error).toMatchObject(FOREIGN);
});
