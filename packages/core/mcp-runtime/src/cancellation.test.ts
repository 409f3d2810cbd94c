import { expect, test, vi } from 'vitest';
import { createCancellation } from './cancellation.js';

test('a signal that is asked for before or after the end tells the reason', () => {
  const cancellation = createCancellation();
  const { signal } = cancellation;
  cancellation.cancel('enough');
  expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  const late = createCancellation();
  late.cancel('enough');
  expect(late.signal.reason).toBe('enough');
  expect(late.signal).toBe(late.signal);
});

test('the first reason counts, and listeners hear it once', () => {
  const cancellation = createCancellation();
  const listener = vi.fn();
  cancellation.onCancel(listener);
  expect(cancellation.isCancelled()).toBe(false);
  cancellation.cancel('first');
  cancellation.cancel('second');
  expect(cancellation.isCancelled()).toBe(true);
  expect(listener.mock.calls).toEqual([['first']]);
});

test('who listens too late hears at once, who took it back hears nothing', () => {
  const cancellation = createCancellation();
  const forgotten = vi.fn();
  cancellation.onCancel(forgotten)();
  cancellation.cancel('enough');
  const late = vi.fn();
  cancellation.onCancel(late);
  expect(late.mock.calls).toEqual([['enough']]);
  expect(forgotten).not.toHaveBeenCalled();
});
