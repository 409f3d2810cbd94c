import { ToolError } from '@automatosx/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPath, parsePath } from './path.js';

describe('parsePath', () => {
  test.each([
    ['limits', ['limits']],
    ['limits.request.maxArraySize', ['limits', 'request', 'maxArraySize']],
    ['mcpServers["a.b"].command', ['mcpServers', 'a.b', 'command']],
    ["mcpServers['a.b']['c']", ['mcpServers', 'a.b', 'c']],
    ['trace.redact[0]', ['trace', 'redact', '0']],
    ['["a"]', ['a']],
    ['a["say \\"hi\\""]', ['a', 'say "hi"']],
    ["a['it\\'s \"so\"']", ['a', 'it\'s "so"']],
    ['a[""]', ['a', '']],
    ['__proto__.x', ['__proto__', 'x']],
  ])('reads %s', (path, names) => {
    expect(parsePath(path)).toEqual(names);
  });

  test.each([
    '',
    '.',
    '.a',
    'a.',
    'a..b',
    'a[',
    'a]',
    'a[b]',
    'a["b]',
    'a["b"]c',
    'a.["b"]',
    'a b',
    'a[-1]',
    'a["\\x"]',
    'a["\n"]',
  ])('refuses %j as a key that is not found, and names it', (path) => {
    const failure = catching(() => parsePath(path));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', toolCode: 'CONFIG_KEY_NOT_FOUND', context: { path } });
    expect(failure.message).toContain(JSON.stringify(path));
  });

  test('reads back every path that formatPath writes', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.nat().map(String),
      fc.constantFrom('a.b', '007'),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        expect(parsePath(formatPath(names))).toEqual(names);
      }),
    );
  });

  test('answers any text with names or with a ToolError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '[', ']', '"', "'", '\\', '0', ' ') }), (text) => {
        try {
          expect(parsePath(text).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
    );
  });
});

test('formatPath uses brackets only where they are needed', () => {
  expect(formatPath(['mcpServers', 'a.b', 'args', '0', 'x-y'])).toBe('mcpServers["a.b"].args[0].x-y');
});

function catching(work: () => unknown): ToolError {
  try {
    work();
  } catch (error) {
    return error as ToolError;
  }
  throw new Error('Nothing was thrown');
}
