import { expect, test } from 'vitest';
import { criticalPath } from './critical-path.js';
import type { Step } from './steps.js';

const step = (stepId: string, startedAt: number, endedAt: number, payload: Step['payload'] = {}): Step => ({
  stepId,
  stepName: stepId,
  status: 'success',
  startedAt,
  endedAt,
  durationMs: endedAt - startedAt,
  payload,
  isCall: false,
});

const pathOf = (...steps: readonly Step[]) =>
  criticalPath(steps)
    .map(({ stepId }) => stepId)
    .join(' ');

test('steps one after the other are all on the path', () => {
  expect(pathOf(step('a', 0, 10), step('b', 10, 30), step('c', 30, 31))).toBe('a b c');
});

test('of steps side by side, the one that ended last is on the path', () => {
  expect(pathOf(step('a', 0, 10), step('fast', 10, 20), step('slow', 10, 50), step('z', 50, 60))).toBe('a slow z');
});

test('a step waits for what it depends on, even if something else ended later', () => {
  const steps = [step('a', 0, 10), step('b', 0, 40), step('c', 45, 90, { dependsOn: ['a'] })];
  expect(pathOf(...steps)).toBe('a c');
});

test('of several dependencies the last to end counts; unknown ones do not', () => {
  const steps = [step('a', 0, 10), step('b', 0, 40), step('c', 40, 90, { dependsOn: ['b', 'a', 'gone'] })];
  expect(pathOf(...steps)).toBe('b c');
  expect(pathOf(step('a', 0, 10), step('b', 10, 20, { dependsOn: 'a' }))).toBe('a b');
});

test('a step that depends on nothing begins the path', () => {
  expect(pathOf(step('a', 0, 10), step('late', 20, 90, { dependsOn: [] }))).toBe('late');
});

test('all tries of a step are on the path', () => {
  const steps = [
    step('a', 0, 10),
    step('b', 10, 20, { attempt: 1, dependsOn: ['a'] }),
    step('b', 25, 40, { attempt: 2, dependsOn: ['a'] }),
  ];
  expect(pathOf(...steps)).toBe('a b b');
});

test('what a step called stands after it', () => {
  const steps = [
    step('plan', 0, 100),
    step('search', 10, 30, { parentId: 'plan' }),
    step('read', 30, 90, { parentId: 'plan' }),
    step('open', 40, 80, { parentId: 'read' }),
    step('side', 10, 20, { parentId: 'plan' }),
    step('write', 100, 120),
  ];
  expect(pathOf(...steps)).toBe('plan search read open write');
});

test('steps that name each other in a circle do not go on for ever', () => {
  expect(pathOf(step('a', 0, 10, { dependsOn: ['b'] }), step('b', 0, 20, { dependsOn: ['a'] }))).toBe('a b');
  expect(pathOf(step('a', 0, 10, { parentId: 'b' }), step('b', 10, 20, { parentId: 'a' }))).toContain('b');
  expect(pathOf(step('a', 0, 10, { parentId: 'a', dependsOn: ['a'] }))).toBe('a');
});

test('steps without any duration keep their order', () => {
  expect(pathOf(step('a', 5, 5), step('b', 5, 5), step('c', 5, 5))).toBe('a b c');
});

test('skipped and running steps decide nothing', () => {
  const skipped: Step = { ...step('s', 10, 10), status: 'skipped' };
  const running: Step = { ...step('r', 10, 10), status: 'running' };
  expect(pathOf(step('a', 0, 10), skipped, running)).toBe('a');
  expect(pathOf(running)).toBe('');
});
