import { expect, test } from 'vitest';
import { createReplayBudget } from './replay-budget.js';

test('what fits is taken, what does not is left, and takes nothing', () => {
  const budget = createReplayBudget(10);
  expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1)]).toEqual([true, false, true, false]);
});

test('what was given back can be taken again', () => {
  const budget = createReplayBudget(10);
  budget.take(10);
  budget.give(3);
  expect([budget.take(4), budget.take(3)]).toEqual([false, true]);
});

test('all of a process together keep 64 MiB', () => {
  const budget = createReplayBudget();
  expect([budget.take(64 * 1024 * 1024), budget.take(1)]).toEqual([true, false]);
});

test('a part of another one is bounded by both, and gives back to both', () => {
  const whole = createReplayBudget(10);
  const [one, other] = [createReplayBudget(6, whole), createReplayBudget(6, whole)];
  expect([one.take(7), one.take(6), other.take(5), other.take(4)]).toEqual([false, true, false, true]);
  one.give(6);
  expect([other.take(3), other.take(2), whole.take(4)]).toEqual([false, true, true]);
});
