import { ToolError } from '@automatosx/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdmissions } from './admission.js';
import { createInFlight, type InFlight } from './in-flight.js';

const cancellable = { isCancellable: true };
const reason = new ToolError('CANCELLED', 'test');

/** Work that ends as soon as it is aborted. */
const obedient = (call: InFlight) => call.cancellation.signal.addEventListener('abort', () => call.end());

test('an id is taken until its request ends', () => {
  const inFlight = createInFlight();
  const first = inFlight.begin('a', cancellable);
  expect(() => inFlight.begin('a', cancellable)).toThrow(expect.objectContaining({ code: -32600 }));
  expect(first.isOver()).toBe(false);
  first.end();
  expect(first.isOver()).toBe(true);
  expect(inFlight.begin('a', cancellable).isOver()).toBe(false);
});

test('a number and a text are different ids', () => {
  const inFlight = createInFlight();
  inFlight.begin(1, cancellable);
  expect(inFlight.begin('1', cancellable).isOver()).toBe(false);
});

describe('cancelling', () => {
  test('aborts with the reason and frees the id, which the old request then leaves alone', () => {
    const inFlight = createInFlight();
    const old = inFlight.begin('a', cancellable);
    inFlight.cancel('a', reason);
    expect(old.cancellation.signal.reason).toBe(reason);
    expect(old.isOver()).toBe(true);
    const next = inFlight.begin('a', cancellable);
    old.end();
    expect(next.isOver()).toBe(false);
  });

  test('has no effect on unknown ids and on what cannot be cancelled', () => {
    const inFlight = createInFlight();
    const opening = inFlight.begin('open', { isCancellable: false });
    inFlight.cancel('open', reason);
    inFlight.cancel('unknown', reason);
    expect([opening.cancellation.signal.aborted, opening.isOver()]).toEqual([false, false]);
  });
});

test('the 257th is refused, and cancelled work counts until it has ended', () => {
  const inFlight = createInFlight();
  const calls = Array.from({ length: 256 }, (_, id) => inFlight.begin(id, cancellable));
  const tooMany = expect.objectContaining({
    code: -32000,
    data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) },
  });
  expect(() => inFlight.begin('next', cancellable)).toThrow(tooMany);
  inFlight.cancel(7, reason);
  expect(() => inFlight.begin('next', cancellable)).toThrow(tooMany);
  calls[7]?.end();
  expect(inFlight.begin('next', cancellable).isOver()).toBe(false);
});

describe('with an admission that several connections share', () => {
  const ada = { principal: 'ada', isLocal: false };
  const busy = expect.objectContaining({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: 100 } });

  test('what one principal has under way counts over all of their connections', () => {
    const admission = createAdmissions();
    const connections = [1, 2, 3].map(() => createInFlight(admission, ada));
    const [first, second, third] = connections as [
      (typeof connections)[0],
      (typeof connections)[0],
      (typeof connections)[0],
    ];
    const calls = Array.from({ length: 256 }, (_, id) => [first.begin(id, cancellable), second.begin(id, cancellable)]);
    expect(() => third.begin('a', cancellable)).toThrow(busy);
    expect(createInFlight(admission, { principal: 'bob', isLocal: false }).begin('a', cancellable).isOver()).toBe(
      false,
    );
    calls[0]?.[0]?.end();
    expect(third.begin('a', cancellable).isOver()).toBe(false);
    expect(admission.calls.size()).toBe(513);
  });

  test('a place is given back when the work has ended, and once', () => {
    const admission = createAdmissions();
    const inFlight = createInFlight(admission, ada);
    const call = inFlight.begin('a', cancellable);
    inFlight.cancel('a', reason);
    expect(admission.calls.size()).toBe(1);
    call.end();
    call.end();
    expect(admission.calls.size()).toBe(0);
  });

  test('what lasts takes no place of calls', () => {
    const admission = createAdmissions();
    createInFlight(admission, ada).begin('a', { isCancellable: true, isOpenEnded: true });
    expect([admission.calls.size(), admission.lasting.size()]).toEqual([0, 1]);
  });

  test('what is refused takes no place', () => {
    const admission = createAdmissions();
    const inFlight = createInFlight(admission, ada);
    inFlight.begin('a', cancellable);
    expect(() => inFlight.begin('a', cancellable)).toThrow(expect.objectContaining({ code: -32600 }));
    expect(admission.calls.size()).toBe(1);
  });
});

describe('draining', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is over at once where nothing runs, and takes no more requests', async () => {
    const inFlight = createInFlight();
    await inFlight.drain({ graceMs: 5000 });
    expect(() => inFlight.begin('late', cancellable)).toThrow(
      expect.objectContaining({ code: -32000, data: { code: 'SERVICE_UNAVAILABLE' } }),
    );
  });

  test('waits for what runs, also where it was cancelled, but not for the request that asked for it', async () => {
    const inFlight = createInFlight();
    const [running, cancelled, asking] = ['a', 'b', 'c'].map((id) => inFlight.begin(id, cancellable)) as [
      InFlight,
      InFlight,
      InFlight,
    ];
    inFlight.cancel('b', reason);
    const drained = vi.fn();
    inFlight.drain({ graceMs: 5000, except: asking }).then(drained);
    running.end();
    await vi.advanceTimersByTimeAsync(100);
    expect(drained).not.toHaveBeenCalled();
    cancelled.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(drained).toHaveBeenCalled();
    expect(running.cancellation.signal.aborted).toBe(false);
  });

  test('interrupts what is left after the grace, and gives up on what does not listen', async () => {
    const inFlight = createInFlight();
    const [one, deaf] = [inFlight.begin('a', cancellable), inFlight.begin('b', cancellable)];
    obedient(one);
    const drained = vi.fn();
    inFlight.drain({ graceMs: 5000 }).then(drained);
    await vi.advanceTimersByTimeAsync(4999);
    expect(one.cancellation.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(one.cancellation.signal.reason).toMatchObject({ toolCode: 'SERVER_STOPPING' });
    expect(deaf.cancellation.signal.aborted).toBe(true);
    expect(drained).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(250);
    expect(drained).toHaveBeenCalled();
  });

  test('ends what has no end of its own at once, and gives the rest their grace', async () => {
    const inFlight = createInFlight();
    const listening = inFlight.begin('listen', { isCancellable: true, isOpenEnded: true });
    const working = inFlight.begin('work', cancellable);
    obedient(listening);
    const drained = vi.fn();
    inFlight.drain({ graceMs: 5000 }).then(drained);
    expect(listening.cancellation.signal.reason).toMatchObject({ toolCode: 'SERVER_STOPPING' });
    expect(working.cancellation.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(drained).not.toHaveBeenCalled();
    working.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(drained).toHaveBeenCalled();
  });
});
