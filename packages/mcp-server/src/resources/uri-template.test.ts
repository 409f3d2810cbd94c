import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expand, uriTemplate } from './uri-template.js';

const ENTRY = 'memory://entries/{namespace}/{key}';
const match = uriTemplate(ENTRY);

const name = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

test('INV-MCP-RES-002: whatever the names are, the URI of a template leads back to them', () => {
  fc.assert(
    fc.property(name, name, (namespace, key) => {
      const uri = expand(ENTRY, { namespace, key });
      expect(uri).toMatch(/^memory:\/\/entries(?:\/(?:[\w.~-]|%[0-9A-F]{2})+){2}$/);
      expect(match(uri)).toEqual({ namespace, key });
    }),
  );
});

test.each([
  ['a/b', 'a%2Fb'],
  ['100%', '100%25'],
  ['two words', 'two%20words'],
  ['größe', 'gr%C3%B6%C3%9Fe'],
  ['👋', '%F0%9F%91%8B'],
  ['..', '..'],
  ['__proto__', '__proto__'],
  ["!'()*", '%21%27%28%29%2A'],
  ['?#[]@:', '%3F%23%5B%5D%40%3A'],
])('INV-MCP-RES-002: the name %j is %j in a URI', (key, segment) => {
  expect(expand('memory://entries/{key}', { key })).toBe(`memory://entries/${segment}`);
  expect(uriTemplate('memory://entries/{key}')(`memory://entries/${segment}`)).toEqual({ key });
});

test('a name keeps what RFC 3986 lets stand in a segment, escaped or not', () => {
  expect(match("memory://entries/a:b@c/!$&'()*+,;=-._~")).toEqual({ namespace: 'a:b@c', key: "!$&'()*+,;=-._~" });
  expect(match('memory://entries/%41%3a/%2e%2E')).toEqual({ namespace: 'A:', key: '..' });
});

test('scheme and authority are the same in any case, names are not', () => {
  expect(match('MEMORY://Entries/Team/Key')).toEqual({ namespace: 'Team', key: 'Key' });
  expect(match('memory://entrie%73/a/b')).toEqual({ namespace: 'a', key: 'b' });
});

test('an empty path is the same as a lone slash', () => {
  const collection = uriTemplate('memory://entries');
  expect([collection('memory://entries'), collection('memory://entries/')]).toEqual([{}, {}]);
});

test('a variable can be the authority', () => {
  expect(uriTemplate('traces://{id}')('traces://01-a')).toEqual({ id: '01-a' });
  expect(uriTemplate('traces://{id}')('traces://recent/01')).toBeUndefined();
});

describe('INV-MCP-RES-002: what is not a URI of the template is none', () => {
  test.each([
    '',
    'memory',
    'memory:entries/a/b',
    'memory:///a/b',
    '//entries/a/b',
    'other://entries/a/b',
    'memory://other/a/b',
    'memory://entries',
    'memory://entries/a',
    'memory://entries/a/',
    'memory://entries//b',
    'memory://entries/a/b/',
    'memory://entries/a/b/c',
    'memory://entries/a/b?x=1',
    'memory://entries/a/b#x',
    'memory://user@entries/a/b',
    'memory://entries:80/a/b',
    ' memory://entries/a/b',
    'memory://entries/a/b\n',
    'memory://entries/a b/c',
    'memory://entries/ä/c',
    'memory://entries/a/<c>',
    'memory://entries/a/%',
    'memory://entries/a/%4',
    'memory://entries/a/%zz',
    'memory://entries/a/%FF',
    'memory://entries/a/%C3',
    'memory://entries/a/%ED%A0%80',
    'memory://entries/a/b%00',
    'memory://entries/{namespace}/{key}',
  ])('%j', (uri) => {
    expect(match(uri)).toBeUndefined();
  });

  test('any text at all', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void match(`memory://entries/${text}`)));
  });
});

test('a long text is judged at once', () => {
  const startedAt = performance.now();
  for (const part of ['a', '/', '%20', '%2', '../']) match(`memory://entries/${part.repeat(100_000)}\n`);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
