import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Caller } from './access.js';
import { Refusal } from './refusal.js';
import { createVigil } from './vigil.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ada: Caller = { principal: 'ada', isLocal: false };
const request = { headers: {} } as IncomingMessage;

class Opened extends EventEmitter {
  isDestroyed = false;

  destroy() {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function setup(check: () => Caller | Promise<Caller>) {
  const vigil = createVigil(check, 1000);
  const opened = new Opened();
  vigil.watch(request, ada, opened);
  return { vigil, opened };
}

test('what is still let in stays open, and is forgotten when it closes', async () => {
  const { vigil, opened } = setup(async () => ada);
  await vi.advanceTimersByTimeAsync(5000);
  expect([opened.isDestroyed, vigil.size()]).toEqual([false, 1]);
  opened.emit('close');
  expect(vigil.size()).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a token that was taken back, or is somebody else by now, ends it at the next look', async () => {
  let caller: Caller | undefined = ada;
  const check = () => {
    if (caller) return caller;
    throw Refusal.of(401, 'no');
  };
  const [one, other] = [setup(check), setup(check)];
  await vi.advanceTimersByTimeAsync(1000);
  caller = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  expect([one.opened.isDestroyed, one.vigil.size()]).toEqual([true, 0]);
  caller = { principal: 'bob', isLocal: false };
  other.vigil.watch(request, ada, other.opened);
  await vi.advanceTimersByTimeAsync(1000);
  expect(other.opened.isDestroyed).toBe(true);
});

test('while the issuer cannot be asked nothing is ended', async () => {
  const { opened } = setup(() => {
    throw Refusal.of(503, 'later');
  });
  await vi.advanceTimersByTimeAsync(3000);
  expect(opened.isDestroyed).toBe(false);
});
