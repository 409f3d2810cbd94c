import { expect, test } from 'vitest';
import { createTraceIds } from './trace-ids.js';

const NOON = Date.UTC(2026, 0, 1, 12);

test('holds the time, version 7 and the variant where RFC 9562 has them', () => {
  const id = createTraceIds(() => 0x0123_4567_89ab).next();
  expect(id).toMatch(/^01234567-89ab-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('takes a millisecond ahead where one does not hold all ids', () => {
  const ids = createTraceIds(() => NOON);
  const made = Array.from({ length: 10_000 }, ids.next);
  expect(made).toEqual([...made].sort());
  expect(new Set(made.map((id) => id.slice(0, 13))).size).toBe(3);
});

test('goes on after an id that another process made, whether that is ahead or behind', () => {
  const other = createTraceIds(() => NOON + 5000);
  const ids = createTraceIds(() => NOON);
  const ahead = other.next();
  ids.startAfter(ahead);
  expect(ids.next() > ahead).toBe(true);
  const before = ids.next();
  ids.startAfter(createTraceIds(() => NOON - 5000).next());
  expect(ids.next() > before).toBe(true);
});

test('ids of two makers at the same time are never the same', () => {
  const makers = [createTraceIds(() => NOON), createTraceIds(() => NOON)];
  const made = Array.from({ length: 5000 }, () => makers.map((maker) => maker.next())).flat();
  expect(new Set(made).size).toBe(10_000);
});

test('an id of another shape changes nothing', () => {
  const ids = createTraceIds(() => NOON);
  ids.startAfter('not an id');
  expect(ids.next() > createTraceIds(() => NOON - 1).next()).toBe(true);
});
