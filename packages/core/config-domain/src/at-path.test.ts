import { describe, expect, test } from 'vitest';
import { valueAt, withoutValueAt, withValueAt } from './at-path.js';

const file = { limits: { pageSize: 5, request: { maxArraySize: 1 } }, trace: { redact: ['a', 'b'] } };

describe('valueAt', () => {
  test('finds members and items', () => {
    expect(valueAt(file, ['limits', 'pageSize'])).toBe(5);
    expect(valueAt(file, ['trace', 'redact', '1'])).toBe('b');
  });

  test.each([
    [['limits', 'nothing']],
    [['limits', 'pageSize', 'toFixed']],
    [['trace', 'redact', 'length']],
    [['trace', 'redact', '7']],
    [['__proto__']],
    [['constructor', 'name']],
    [['limits', 'hasOwnProperty']],
  ])('sees nothing at %j', (path) => {
    expect(valueAt(file, path)).toBeUndefined();
  });
});

describe('withValueAt', () => {
  test('changes a copy and leaves the original', () => {
    const before = structuredClone(file);
    expect(withValueAt(file, ['limits', 'pageSize'], 9).limits).toEqual({ pageSize: 9, request: { maxArraySize: 1 } });
    expect(file).toEqual(before);
  });

  test('makes the objects on the way', () => {
    expect(withValueAt({}, ['a', 'b', 'c'], 1)).toEqual({ a: { b: { c: 1 } } });
  });

  test('replaces an item and appends one', () => {
    expect(withValueAt(file, ['trace', 'redact', '0'], 'x').trace).toEqual({ redact: ['x', 'b'] });
    expect(withValueAt(file, ['trace', 'redact', '2'], 'x').trace).toEqual({ redact: ['a', 'b', 'x'] });
  });

  test.each(['3', '4294967295', 'x', '-1'])('refuses place %s of a list of two', (place) => {
    expect(() => withValueAt(file, ['trace', 'redact', place], 'x')).toThrow(
      expect.objectContaining({ toolCode: 'CONFIG_INVALID_VALUE' }),
    );
  });

  test('makes an own member of a hostile name and touches no prototype', () => {
    const changed = withValueAt({}, ['__proto__', 'polluted'], true);
    expect(Object.keys(changed)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('withoutValueAt', () => {
  test('removes a member and the objects that are left empty', () => {
    expect(withoutValueAt(file, ['limits', 'request', 'maxArraySize'])).toEqual({
      limits: { pageSize: 5 },
      trace: file.trace,
    });
    expect(withoutValueAt({ a: { b: 1 } }, ['a', 'b'])).toEqual({});
  });

  test('removes an item and keeps an empty list', () => {
    expect(withoutValueAt(file, ['trace', 'redact', '0']).trace).toEqual({ redact: ['b'] });
    expect(withoutValueAt({ list: ['a'] }, ['list', '0'])).toEqual({ list: [] });
  });

  test('changes nothing where nothing is set', () => {
    expect(withoutValueAt(file, ['limits', 'nothing', 'below'])).toBe(file);
  });
});
