import { expect, test } from 'vitest';
import { arraysOf } from './batch.js';

test('all answers of a batch stand in one array', () => {
  expect(arraysOf(['{"id":1}', '{"id":2}'])).toEqual(['[{"id":1},{"id":2}]']);
});

test('where no answer is due, nothing is sent', () => {
  expect(arraysOf([])).toEqual([]);
});

test('answers that are too long together stand in several arrays, in their order', () => {
  expect(arraysOf(['11111', '22', '333', '444444444', '5'], 6)).toEqual(['[11111]', '[22,333]', '[444444444]', '[5]']);
});
