import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createOutbox } from './outbox.js';

const MEGABYTE = 1024 * 1024;

/** An output that takes a write only when it is told to. */
function slowOutput() {
  const writes: string[] = [];
  const waiting: (() => void)[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      writes.push(chunk);
      waiting.push(done);
    },
  });
  return { output, writes, take: () => waiting.shift()?.() };
}

const setup = (output: Writable) => {
  const [onFull, onDrained] = [vi.fn(), vi.fn()];
  return { ...createOutbox({ output, onFull, onDrained }), onFull, onDrained };
};

test('messages of one turn leave in one write, one per line', async () => {
  const { output, writes } = slowOutput();
  const { send } = setup(output);
  send('{"a":1}');
  await Promise.resolve();
  send('{"b":2}');
  await sleep(0);
  expect(writes).toEqual(['{"a":1}\n{"b":2}\n']);
});

test('messages that are long together leave in several writes', async () => {
  const output = new PassThrough();
  const sizes: number[] = [];
  output.on('data', (chunk: Buffer) => sizes.push(chunk.length));
  const { send } = setup(output);
  for (let index = 0; index < 5; index++) send('x'.repeat(MEGABYTE - 1));
  await sleep(10);
  expect(sizes).toEqual(Array(5).fill(MEGABYTE));
});

test('a client that does not read stops the input once, and lets it go on when it reads', async () => {
  const { output, take } = slowOutput();
  const { send, onFull, onDrained } = setup(output);
  for (let index = 0; index < 20; index++) {
    send('x'.repeat(MEGABYTE));
    await sleep(0);
  }
  expect(onFull).toHaveBeenCalledTimes(1);
  expect(output.listenerCount('drain')).toBe(1);
  for (let index = 0; index < 20; index++) {
    expect(onDrained).not.toHaveBeenCalled();
    take();
    await sleep(0);
  }
  expect(onDrained).toHaveBeenCalledTimes(1);
  for (let index = 0; index < 6; index++) send('x'.repeat(MEGABYTE));
  await sleep(0);
  expect(onFull).toHaveBeenCalledTimes(2);
});

test('flushed waits until all is handed over, as long as something is taken', async () => {
  vi.useFakeTimers();
  const { output, take } = slowOutput();
  const { send, flushed } = setup(output);
  send('first');
  await vi.advanceTimersByTimeAsync(1);
  send('second');
  const done = vi.fn();
  flushed().then(done);
  await vi.advanceTimersByTimeAsync(1500);
  take();
  await vi.advanceTimersByTimeAsync(1500);
  expect(done).not.toHaveBeenCalled();
  take();
  take();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalled();
  vi.useRealTimers();
});

test('flushed gives up on a client that takes nothing', async () => {
  vi.useFakeTimers();
  const { output } = slowOutput();
  const { send, flushed } = setup(output);
  send('never read');
  const done = vi.fn();
  flushed().then(done);
  await vi.advanceTimersByTimeAsync(1999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalled();
  vi.useRealTimers();
});
