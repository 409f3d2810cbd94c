import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parsePath } from './path.js';
import { configKeys, requireKnown, schemaKeys } from './schema-keys.js';

describe('the configuration', () => {
  test.each([
    'limits',
    'limits.pageSize',
    'server.description',
    'rateLimits.query.burst',
    'timeouts.toolOverrides.memory_store',
    'timeouts.toolOverrides["any.name at all"]',
    'trace.redact[3]',
    '$schema',
  ])('knows %s', (path) => {
    expect(configKeys.isKnown(parsePath(path))).toBe(true);
  });

  test.each([
    'nothing',
    'limits.pagesize',
    'limits.pageSize.deeper',
    'timeouts.toolOverrides.a.b',
    'trace.redact.first',
    'trace.redact.length',
    '__proto__',
    'constructor',
    'limits.hasOwnProperty',
    'timeouts.toolOverrides.__proto__',
    'timeouts.toolOverrides.constructor',
    'timeouts.toolOverrides.prototype',
  ])('does not know %s', (path) => {
    expect(configKeys.isKnown(parsePath(path))).toBe(false);
  });

  test.each([
    ['limts.requst.maxArraySize', 'limits.request.maxArraySize'],
    ['limits.pagesize', 'limits.pageSize'],
    ['trace.retentionDays.x', 'trace.retentionDays'],
    ['pageSize', 'limits.pageSize'],
    ['request.maxArraySize', 'limits.request.maxArraySize'],
    ['limits.elephants', 'limits'],
  ])('takes %s for %s', (path, nearest) => {
    expect(() => requireKnown(parsePath(path))).toThrow(
      expect.objectContaining({
        toolCode: 'CONFIG_KEY_NOT_FOUND',
        message: `There is no setting ${path}; the nearest known one is ${nearest}`,
      }),
    );
  });

  test('takes a name that is like no other for nothing', () => {
    expect(() => requireKnown(['elephants'])).toThrow(/^There is no setting elephants$/);
  });

  test('names at most the beginning of a very long name', () => {
    expect(() => requireKnown(['x'.repeat(1_000_000)])).toThrow(/^There is no setting x{100}$/);
  });
});

test('every alternative of a union is known', () => {
  const keys = schemaKeys(
    z.strictObject({ to: z.union([z.strictObject({ url: z.string() }), z.strictObject({ command: z.string() })]) }),
  );
  expect(keys.isKnown(['to', 'url'])).toBe(true);
  expect(keys.isKnown(['to', 'command'])).toBe(true);
  expect(keys.isKnown(['to', 'comand'])).toBe(false);
  expect(keys.nearest(['to', 'comand'])).toEqual(['to', 'command']);
});
