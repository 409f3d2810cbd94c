import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { openEvents } from '../../../../../tests/support/http-requests.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import { createMessageStream, type MessageStream, parseEventId } from './message-stream.js';
import { createReplayBudget } from './replay-budget.js';

const message = (number: number, size = 0) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { number, text: 'x'.repeat(size) } });

const keeping = (max?: number) => createMessageStream({ id: 'a', budget: createReplayBudget(max) });

type Attaching = Parameters<MessageStream['attach']>[1];

/** A client that is attached to the stream, over a socket. */
async function attachedTo(stream: MessageStream, options?: Attaching) {
  let response: ServerResponse | undefined;
  const url = await servedBy((_request, given) => {
    response = given;
    stream.attach(given, options);
  });
  return { ...(await openEvents(url)), response: response as ServerResponse };
}

type Client = Awaited<ReturnType<typeof attachedTo>>;
const numbersOf = ({ messages }: Client) => messages.map(({ params }) => params.number);
const heard = (client: Client, numbers: readonly number[]) =>
  vi.waitFor(() => expect(numbersOf(client)).toEqual(numbers));

describe('a client that is attached', () => {
  test('gets each message as an event with its place, and the end', async () => {
    const stream = keeping();
    const client = await attachedTo(stream);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    expect(stream.isAttached()).toBe(true);
    stream.push(message(1));
    stream.push(message(2));
    stream.end();
    await client.ended;
    expect(client.events).toEqual([
      { id: 'a.1', event: 'message', data: message(1) },
      { id: 'a.2', event: 'message', data: message(2) },
    ]);
  });

  test('first gets what nobody has got yet', async () => {
    const stream = keeping();
    stream.push(message(1));
    stream.push(message(2));
    const client = await attachedTo(stream);
    await heard(client, [1, 2]);
    stream.push(message(3));
    await heard(client, [1, 2, 3]);
  });

  test('gets a place to come back to before any message, where its version has that', async () => {
    const client = await attachedTo(keeping(), { isPrimed: true });
    await vi.waitFor(() => expect(client.events).toEqual([{ id: 'a.0', retry: '1000', data: '' }]));
  });

  test('gives way to one that comes after it', async () => {
    const stream = keeping();
    const first = await attachedTo(stream);
    const second = await attachedTo(stream);
    await first.ended;
    stream.push(message(1));
    await heard(second, [1]);
    expect(stream.isAttached()).toBe(true);
    expect(numbersOf(first)).toEqual([]);
  });

  test('is kept alive while nothing happens', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { response } = await attachedTo(keeping());
      const written = vi.spyOn(response, 'write');
      vi.advanceTimersByTime(30_000);
      expect(written.mock.calls).toEqual([[':\n\n'], [':\n\n']]);
      response.destroy();
      await new Promise((resolve) => response.once('close', resolve));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is cut off where it leaves more than four megabytes unread', async () => {
    const stream = keeping();
    const client = await attachedTo(stream);
    client.pause();
    for (let number = 1; number <= 40 && !client.response.destroyed; number++)
      stream.push(message(number, 1024 * 1024));
    expect(client.response.destroyed).toBe(true);
    await vi.waitFor(() => expect(stream.isAttached()).toBe(false));
    expect(() => stream.push(message(99))).not.toThrow();
  });
});

test('a message of ten megabytes reaches a client that reads', async () => {
  const stream = keeping();
  const client = await attachedTo(stream);
  stream.push(message(1, 10_000_000));
  await heard(client, [1]);
  stream.push(message(2));
  await heard(client, [1, 2]);
});

test('an event before all others can be given', async () => {
  const client = await attachedTo(keeping(), { opening: 'event: endpoint\ndata: /there\n\n' });
  await vi.waitFor(() => expect(client.events).toMatchObject([{ data: '/there' }]));
});

test('it knows whether all that came after a place is still kept', () => {
  const stream = keeping(message(1).length * 2);
  expect(stream.keepsAllAfter(0)).toBe(true);
  stream.push(message(1));
  stream.push(message(2));
  expect([0, 1, 2].map(stream.keepsAllAfter)).toEqual([true, true, true]);
  stream.forget();
  expect([0, 1, 2].map(stream.keepsAllAfter)).toEqual([false, false, true]);
});

describe('a client that comes back', () => {
  test('gets what came after the place that it names', async () => {
    const stream = keeping();
    const first = await attachedTo(stream);
    for (const number of [1, 2, 3]) stream.push(message(number));
    await heard(first, [1, 2, 3]);
    first.close();
    await vi.waitFor(() => expect(stream.isAttached()).toBe(false));
    stream.push(message(4));
    await heard(await attachedTo(stream, { after: 1 }), [2, 3, 4]);
  });

  test('gets what it missed, and the end, where it names no place', async () => {
    const stream = keeping();
    const first = await attachedTo(stream);
    stream.push(message(1));
    await heard(first, [1]);
    first.close();
    await vi.waitFor(() => expect(stream.isAttached()).toBe(false));
    stream.push(message(2));
    stream.end();
    const second = await attachedTo(stream);
    await second.ended;
    expect(numbersOf(second)).toEqual([2]);
  });

  test('gets the last 256 messages and none before', async () => {
    const stream = keeping();
    for (let number = 1; number <= 300; number++) stream.push(message(number));
    stream.end();
    const client = await attachedTo(stream, { after: 0 });
    await client.ended;
    expect(numbersOf(client)).toEqual(Array.from({ length: 256 }, (_, index) => index + 45));
  });

  test('gets nothing of a stream that keeps nothing, and its events have no places', async () => {
    const stream = createMessageStream({ id: '' });
    stream.push(message(1));
    const client = await attachedTo(stream, { after: 0 });
    stream.push(message(2));
    stream.end();
    await client.ended;
    expect(client.events).toEqual([{ event: 'message', data: message(2) }]);
  });
});

describe('what is kept', () => {
  const size = message(1).length;

  test('is within the budget, and a message that does not fit is delivered all the same', async () => {
    const stream = keeping(2 * size);
    const client = await attachedTo(stream);
    for (const number of [1, 2, 3]) stream.push(message(number));
    await heard(client, [1, 2, 3]);
    await heard(await attachedTo(stream, { after: 0 }), [1, 2]);
  });

  test('is given back to the budget when newer messages take its place, and when it is forgotten', async () => {
    const budget = createReplayBudget(300 * message(100).length);
    const stream = createMessageStream({ id: 'a', budget });
    for (let number = 100; number < 999; number++) stream.push(message(number));
    stream.forget();
    expect(budget.take(300 * message(100).length)).toBe(true);
  });

  test('is nothing any more once the stream was forgotten: nobody can come back to it', () => {
    const budget = createReplayBudget(size);
    const stream = createMessageStream({ id: 'a', budget });
    stream.forget();
    stream.push(message(1));
    expect(budget.take(size)).toBe(true);
  });
});

test.each([
  ['own.7', { stream: 'own', number: 7 }],
  ['0b5e-_a.0', { stream: '0b5e-_a', number: 0 }],
  ['own', undefined],
  ['own.', undefined],
  ['.1', undefined],
  ['own.-1', undefined],
  ['own.1.2', undefined],
  ['own.1234567890123456', undefined],
  [`${'a'.repeat(65)}.1`, undefined],
  ['../x.1', undefined],
])('the id %j of an event names %j', (text, place) => {
  expect(parseEventId(text)).toEqual(place);
});
