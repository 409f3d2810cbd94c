import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { served } from '../../../../tests/support/served.js';
import { taskTools } from '../../../../tests/support/task-tools.js';

const ID = 'io.modelcontextprotocol/subscriptionId';
const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const metaOf = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const _meta = metaOf({ ...EXTENSION, elicitation: {} });

function setup() {
  const client = served({ extra: { tools: taskTools } });
  const begin = async (name: string, input: object): Promise<string> =>
    (await client.request('tools/call', { name, arguments: input, _meta })).result.taskId;
  const listen = async (taskIds: readonly string[], id = 'l-1') => {
    void client.request('subscriptions/listen', { notifications: { taskIds }, _meta }, id);
    const { params } = await client.until(
      ({ method, params }) => method === 'notifications/subscriptions/acknowledged' && params._meta[ID] === id,
    );
    return params.notifications;
  };
  const told = (taskId: string) =>
    client.messages
      .filter(({ method, params }) => method === 'notifications/tasks' && params.taskId === taskId)
      .map(({ params }) => params);
  return { ...client, begin, listen, told };
}

const ticks = () => sleep(900);
const soon = { timeout: 5000 };

test('a listener hears of every change of status, with the whole task', async () => {
  const { begin, listen, told, request } = setup();
  const taskId = await begin('test_ask', { rounds: 1 });
  expect(await listen([taskId])).toEqual({ taskIds: [taskId] });
  await vi.waitUntil(() => told(taskId).length === 1, soon);
  const inputResponses = { first: { action: 'decline' }, last: { action: 'decline' } };
  await request('tasks/update', { taskId, inputResponses, _meta });
  await vi.waitUntil(() => told(taskId).at(-1).status === 'completed', soon);
  const { result } = await request('tasks/get', { taskId, _meta });
  expect(told(taskId)[0]).toMatchObject({ status: 'input_required', inputRequests: { first: {}, last: {} } });
  const { _meta: stamp, ...last } = told(taskId).at(-1);
  expect(stamp).toEqual({ [ID]: 'l-1' });
  const { _meta: _stamp, resultType, ...got } = result;
  expect(last).toEqual(got);
});

test('what has ended before is told too, and nothing twice', async () => {
  const { begin, listen, told } = setup();
  const [ended, lasting] = [await begin('test_long', { ms: 1 }), await begin('test_long', { ms: 2500 })];
  await sleep(100);
  expect(await listen([ended, lasting, ended])).toEqual({ taskIds: [ended, lasting] });
  await vi.waitUntil(() => told(ended).length > 0, soon);
  await ticks();
  expect([told(ended).length, told(lasting).length]).toEqual([1, 0]);
});

test('only what is there and their own is acknowledged', async () => {
  const { listen } = setup();
  expect(await listen(['unknown', '__proto__'])).toEqual({ taskIds: [] });
});

test('who stops listening hears no more', async () => {
  const { begin, listen, told, notify } = setup();
  const taskId = await begin('test_long', { ms: 300 });
  await listen([taskId]);
  notify('notifications/cancelled', { requestId: 'l-1' });
  await ticks();
  expect(told(taskId)).toEqual([]);
});

test('a client that does not know tasks is refused', async () => {
  const { request } = setup();
  const { error } = await request('subscriptions/listen', { notifications: { taskIds: [] }, _meta: metaOf({}) });
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: EXTENSION } });
});
