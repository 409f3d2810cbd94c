import { ToolError } from '@automatosx/contracts';
import { type ClientRequest, createCancellation, NO_CLIENT, type Questions } from '@automatosx/mcp-runtime';
import { expect, test } from 'vitest';
import { StatelessClient } from '../protocol/client-port.js';
import { TaskClient } from './task-client.js';

const request: ClientRequest = { method: 'elicitation/create', params: { message: '?' } };
const yes = { action: 'accept', content: {} };

function setup(given: Record<string, unknown> = {}, capabilities: Record<string, unknown> = { elicitation: {} }) {
  const cancellation = createCancellation();
  const shown: Questions[] = [];
  const client = new TaskClient({
    first: new StatelessClient(capabilities, given),
    cancellation,
    show: async (questions) => void shown.push(questions),
  });
  return { client, cancellation, shown };
}

const turn = () => new Promise(setImmediate);

test('questions are shown, and their answers come back by the same keys', async () => {
  const { client, shown } = setup();
  const asked = client.ask({ a: request, b: request });
  await turn();
  expect(shown).toEqual([{ a: request, b: request }]);
  client.settle({ b: yes });
  client.settle({ unknown: 1, a: 'A' });
  expect(await asked).toEqual({ a: 'A', b: yes });
});

test('what came with the call is not asked again', async () => {
  const { client, shown } = setup({ a: yes });
  expect(await client.ask({ a: request })).toEqual({ a: yes });
  const asked = client.ask({ a: request, b: request });
  await turn();
  expect(shown).toEqual([{ b: request }]);
  client.settle({ b: 'B' });
  expect(await asked).toEqual({ a: yes, b: 'B' });
});

test('a key is never used for two questions', async () => {
  const { client, shown } = setup();
  for (const key of ['a', 'a-2', 'a-3']) {
    const asked = client.ask({ a: request });
    await turn();
    expect(Object.keys(shown.at(-1) ?? {})).toEqual([key]);
    client.settle({ a: 'old', [key]: key });
    expect(await asked).toEqual({ a: key });
  }
});

test('nobody waits for answers any more once the call is cancelled', async () => {
  const { client, cancellation } = setup();
  const reason = new ToolError('CANCELLED', 'test');
  const asked = client.ask({ a: request });
  await turn();
  cancellation.cancel(reason);
  await expect(asked).rejects.toBe(reason);
  await expect(client.ask({ b: request })).rejects.toBe(reason);
});

test('a client is not asked for what it cannot do, nor one that is not there', async () => {
  const { client, shown } = setup({}, {});
  await expect(client.ask({ a: request })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect([shown, client.capabilities]).toEqual([[], {}]);
  const alone = new TaskClient({ first: NO_CLIENT, cancellation: createCancellation(), show: async () => {} });
  await expect(alone.ask({ a: request })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('questions that cannot be shown are not waited for', async () => {
  const failing = new TaskClient({
    first: new StatelessClient({ elicitation: {} }, {}),
    cancellation: createCancellation(),
    show: () => Promise.reject(new ToolError('STORAGE_UNAVAILABLE', 'disk full')),
  });
  await expect(failing.ask({ a: request })).rejects.toMatchObject({ toolCode: 'STORAGE_UNAVAILABLE' });
});
