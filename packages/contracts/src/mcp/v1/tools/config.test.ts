import { expect, test } from 'vitest';
import { configGet, configSet, configShow } from './config.js';

test('a setting is read from all files together unless told otherwise', () => {
  expect(configGet.input.parse({ path: 'limits' })).toEqual({ path: 'limits', scope: 'merged' });
  expect(configShow.input.parse({})).toEqual({ scope: 'merged' });
});

test.each(['merged', 'global', 'local'])('it can be read from %s', (scope) => {
  expect(configGet.input.safeParse({ path: 'limits', scope }).success).toBe(true);
});

test('a setting is written to the global file unless told otherwise, and never to all together', () => {
  expect(configSet.input.parse({ path: 'limits', value: null })).toEqual({
    path: 'limits',
    value: null,
    scope: 'global',
  });
  expect(configSet.input.safeParse({ path: 'limits', value: 1, scope: 'local' }).success).toBe(true);
  expect(configSet.input.safeParse({ path: 'limits', value: 1, scope: 'merged' }).success).toBe(false);
});

test.each([{ path: '' }, { path: 'p'.repeat(501) }, { path: undefined }, { value: undefined }, { other: 1 }])(
  'config_set does not take %j',
  (part) => {
    expect(configSet.input.safeParse({ path: 'limits', value: 1, ...part }).success).toBe(false);
  },
);
