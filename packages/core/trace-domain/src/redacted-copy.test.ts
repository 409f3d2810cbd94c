import { expect, test } from 'vitest';
import { type RedactionRules, redactedCopy } from './redacted-copy.js';

const rules: RedactionRules = {
  isSecretName: (name) => name.includes('token'),
  text: (text) => text.replace('SECRET', '***'),
};

test('strings anywhere below a secret name are replaced, other values stay', () => {
  const { copy, changed } = redactedCopy({ tokens: ['a', { b: 'c', d: 5, e: null }], f: 'g' }, rules);
  expect(copy).toEqual({ tokens: ['***', { b: '***', d: 5, e: null }], f: 'g' });
  expect(changed).toBe(true);
});

test('the name of a secret can be a value itself', () => {
  const input = [
    { name: 'token_a', value: 'x' },
    { path: 'env.token', oldValue: 'x', newValue: 'y', scope: 'global' },
    { key: 'theme', value: 'dark' },
  ];
  expect(redactedCopy(input, rules).copy).toEqual([
    { name: 'token_a', value: '***' },
    { path: 'env.token', oldValue: '***', newValue: '***', scope: 'global' },
    { key: 'theme', value: 'dark' },
  ]);
});

test('keys that hold secrets are replaced and stay apart', () => {
  const { copy } = redactedCopy({ SECRET: 1, 'SECRET ': 2, 'a SECRET': 3 }, rules);
  expect(Object.values(copy as object)).toEqual([1, 2, 3]);
  expect(JSON.stringify(copy)).not.toContain('SECRET');
  expect(Object.keys(redactedCopy({ '***': 1, SECRET: 2 }, rules).copy as object)).toHaveLength(2);
});

test('a copy shows what JSON would show', () => {
  const value = {
    date: new Date(0),
    url: new URL('https://host/SECRET'),
    skip: undefined,
    run: () => 1,
    not: Number.NaN,
  };
  expect(JSON.parse(JSON.stringify(redactedCopy(value, rules).copy))).toEqual({
    date: '1970-01-01T00:00:00.000Z',
    url: 'https://host/***',
    not: null,
  });
});

test('__proto__ is a key like any other', () => {
  const { copy } = redactedCopy(JSON.parse('{"__proto__":{"token":"x"}}'), rules);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"token":"***"}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('circles, big integers, broken getters and broken proxies can be copied', () => {
  const circle: Record<string, unknown> = { big: 5n };
  circle.self = circle;
  const broken = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  const value = {
    circle,
    broken,
    get bad() {
      throw new Error('no');
    },
    toJson: {
      toJSON: () => {
        throw new Error('no');
      },
    },
  };
  expect(redactedCopy(value, rules).copy).toEqual({
    circle: { big: '5', self: '[circular]' },
    broken: '[unreadable]',
    bad: '[unreadable]',
    toJson: '[unreadable]',
  });
});

test('an object that is there twice, but not inside itself, is shown twice', () => {
  const shared = { a: 1 };
  expect(redactedCopy([shared, shared], rules)).toEqual({ copy: [{ a: 1 }, { a: 1 }], changed: false });
});

test('what lies deeper than 100 levels is not shown and counts as changed', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const { copy, changed } = redactedCopy(deep, rules);
  expect(changed).toBe(true);
  expect(JSON.stringify(copy)).toContain('[cut: deeper than 100 levels]');
});

test('objects that all refer to each other are not walked for ever', () => {
  const crowd: Record<string, unknown>[] = Array.from({ length: 30 }, () => ({}));
  for (const one of crowd)
    crowd.forEach((other, index) => {
      one[`to${index}`] = other;
    });
  const { copy, changed } = redactedCopy(crowd, rules);
  expect(changed).toBe(true);
  expect(JSON.stringify(copy)).toContain('[cut: too much to show]');
});

test('a budget cuts after secrets are out, and says how much is missing', () => {
  const value = { text: `12345SECRET${'x'.repeat(80)}`, list: Array(100).fill(1), after: 2 };
  expect(redactedCopy(value, rules, 40).copy).toEqual({
    text: '12345***x… [cut: 79 more characters]',
    '…': '[cut: 2 more fields]',
  });
  expect(redactedCopy(value, rules, 200).copy).toEqual({
    text: `12345***${'x'.repeat(80)}`,
    list: [1, 1, 1, 1, 1, 1, 1, '… [cut: 93 more items]'],
    after: 2,
  });
});

test('a cut does not split a character', () => {
  expect(redactedCopy('ab😀cd', rules, 9).copy).toBe('ab… [cut: 4 more characters]');
});
