import { describe, expect, test, vi } from 'vitest';
import { openEvents } from '../../../../../tests/support/http-requests.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import type { MessageStream } from './message-stream.js';
import { createSessionStreams } from './session-streams.js';

const MINUTE_MS = 60_000;
const hello = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: {} });

/** What a client gets that comes to the stream and waits for its end. */
async function readOf(stream: MessageStream | undefined) {
  const client = await openEvents(await servedBy((_request, response) => stream?.attach(response, { after: 0 })));
  await client.ended;
  return client.events.map(({ data }) => data);
}

test('the streams of a session are found by their ids, and not by those of another', () => {
  const newStreams = createSessionStreams();
  const [one, other] = [newStreams(), newStreams()];
  const stream = one.open();
  expect(one.find(stream.id)).toBe(stream);
  expect(one.find('own')).toBe(one.own);
  expect(other.find(stream.id)).toBeUndefined();
  expect(other.find('own')).not.toBe(one.own);
});

test('of those that have ended the newest 64 are kept, and all that go on', () => {
  const streams = createSessionStreams()();
  const running = Array.from({ length: 100 }, () => streams.open());
  const ended = Array.from({ length: 66 }, () => streams.open());
  for (const stream of ended) stream.end();
  expect(ended.map(({ id }) => streams.find(id) !== undefined)).toEqual(ended.map((_, index) => index >= 2));
  for (const stream of running) expect(streams.find(stream.id)).toBe(stream);
});

test('the end of a session ends its streams, and nothing can be come back for', async () => {
  const streams = createSessionStreams()();
  const stream = streams.open();
  stream.push(hello);
  streams.close();
  expect(streams.find(stream.id)).toBeUndefined();
  expect(await readOf(stream)).toEqual([]);
  expect(await readOf(streams.own)).toEqual([]);
});

test('what ended sessions kept is given back to those that go on', async () => {
  const newStreams = createSessionStreams();
  const large = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { text: 'x'.repeat(40_000_000) } });
  const [ended, running] = [newStreams(), newStreams()];
  ended.open().push(large);
  const refused = running.open();
  refused.push(large);
  refused.end();
  expect(await readOf(refused)).toEqual([]);
  ended.close();
  const kept = running.open();
  kept.push(hello);
  kept.end();
  expect(await readOf(kept)).toEqual([hello]);
});

describe('an answer', () => {
  const atEach = async (work: (after: (minutes: number) => void) => void) => {
    vi.useFakeTimers();
    try {
      work((minutes) => vi.advanceTimersByTime(minutes * MINUTE_MS));
    } finally {
      vi.useRealTimers();
    }
  };

  test('is kept for five minutes, and not longer', () =>
    atEach((after) => {
      const streams = createSessionStreams()();
      const stream = streams.open();
      stream.push(hello);
      stream.end();
      after(4.9);
      expect(streams.find(stream.id)).toBe(stream);
      after(0.2);
      expect(streams.find(stream.id)).toBeUndefined();
      expect(streams.find('own')).toBe(streams.own);
    }));

  test('is kept for five minutes from when it was given, also where the call took longer than that', () =>
    atEach((after) => {
      const streams = createSessionStreams()();
      const stream = streams.open();
      after(6);
      stream.push(hello);
      stream.end();
      after(1);
      expect(streams.find(stream.id)).toBe(stream);
    }));
});

test('streams that are gone leave no timer behind', () => {
  vi.useFakeTimers();
  try {
    const streams = createSessionStreams()();
    for (let count = 0; count < 200; count++) streams.open().end();
    expect(vi.getTimerCount()).toBe(64);
    streams.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
