import { describe, expect, test } from 'vitest';
import { effectiveConfig, merge, withoutKeys } from './merge.js';

describe('merge', () => {
  test('merges objects deeply and replaces lists', () => {
    const base = { a: { x: 1, y: 2 }, list: [1, 2], only: true };
    expect(merge(base, { a: { y: 3, z: 4 }, list: [9] })).toEqual({ a: { x: 1, y: 3, z: 4 }, list: [9], only: true });
    expect(base).toEqual({ a: { x: 1, y: 2 }, list: [1, 2], only: true });
  });

  test('is not led to a prototype by a name', () => {
    const merged = merge({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('withoutKeys takes out dotted keys and keeps their neighbours', () => {
  expect(
    withoutKeys({ models: { providers: 1, other: 2 }, server: {} }, ['models.providers', 'server', 'code']),
  ).toEqual({
    kept: { models: { other: 2 } },
    found: ['models.providers', 'server'],
  });
});

describe('effectiveConfig', () => {
  test('is complete without any file', () => {
    expect(effectiveConfig({}, {})).toMatchObject({ limits: { pageSize: 100 }, storage: { synchronous: 'normal' } });
  });

  test('lets the project win over the global file, and both over the defaults', () => {
    const config = effectiveConfig(
      { limits: { pageSize: 10 }, timeouts: { toolOverrides: { a: 1, b: 1 } } },
      { timeouts: { toolOverrides: { b: 2 } } },
    );
    expect(config?.limits.pageSize).toBe(10);
    expect(config?.timeouts.toolOverrides).toEqual({ a: 1, b: 2 });
    expect(config?.timeouts.defaultTimeoutMs).toBe(30_000);
  });

  test('is undefined where the whole is not valid', () => {
    expect(effectiveConfig({ limits: 1 }, {})).toBeUndefined();
  });
});
