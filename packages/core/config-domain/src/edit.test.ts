import { PROTECTED_PATHS, TRUSTED_KEYS } from '@automatosx/contracts/config';
import { describe, expect, test } from 'vitest';
import { valueAt } from './at-path.js';
import type { FileScope } from './config-files.js';
import { editConfig, requireUnprotected } from './edit.js';
import type { Json } from './json.js';
import { parsePath } from './path.js';
import { parserFor } from './source.js';

const editIn = (scope: FileScope) => (text: string | undefined, path: string, value: Json) =>
  editConfig(text, { scope, path: parsePath(path), value }, parserFor(scope, { HOME: '/home/ada' }));
const edit = editIn('global');
const failing = (toolCode: string, message?: RegExp) =>
  expect.objectContaining({ toolCode, ...(message && { message: expect.stringMatching(message) }) });

describe('editConfig', () => {
  test('begins a file that does not exist', () => {
    expect(edit(undefined, 'limits.pageSize', 5).text).toBe('{\n  "limits": {\n    "pageSize": 5\n  }\n}\n');
  });

  test('keeps the order of the keys and the indentation', () => {
    const text = '{\n\t"storage": {},\n\t"limits": {\n\t\t"pageSize": 5\n\t}\n}';
    expect(edit(text, 'limits.pageSize', 6).text).toBe(`${text.replace('5', '6')}\n`);
  });

  test('writes nothing where nothing changes', () => {
    expect(edit('{"limits": {"pageSize": 5}}', 'limits.pageSize', 5).text).toBeUndefined();
    expect(edit(undefined, 'limits.pageSize', null).text).toBeUndefined();
  });

  test('puts the file back as it was when a setting is set and removed', () => {
    const first = edit('{}\n', 'timeouts.toolTimeouts.scan', 5);
    expect(edit(first.text, 'timeouts.toolTimeouts.scan', null).text).toBe('{}\n');
  });

  test.each<[string, Json, RegExp]>([
    ['limits.pageSize', 'many', /^limits\.pageSize is not valid: expected number, received string$/],
    ['limits', { pagesize: 5 }, /^unknown key limits\.pagesize; the nearest known one is limits\.pageSize$/],
    ['rateLimits.scan.burst', 5, /^rateLimits\.scan\.perSecond is missing$/],
    ['timeouts.toolOverrides', JSON.parse('{"__proto__":5}'), /unknown key timeouts\.toolOverrides\.__proto__/],
    ['$schema', 'x'.repeat(1_048_576), /^the file is larger than 1 MiB$/],
  ])('refuses a bad value for %s', (path, value, message) => {
    expect(() => edit('{}', path, value)).toThrow(failing('CONFIG_INVALID_VALUE', message));
  });

  test('counts an unset variable in a protected setting as broken', () => {
    expect(() => edit(`{"server":{"name":"\${NO}"}}`, 'limits.pageSize', 5)).toThrow(
      failing('CONFIG_INVALID_VALUE', /mended first: .* server\.name needs .* NO, which is not set$/),
    );
  });

  test.each(['limits.response.truncationSuffix', '$schema'])('writes a variable into %s as plain text', (path) => {
    const { after, text } = edit('{}', path, `\${HOME}`);
    expect(valueAt(after, parsePath(path))).toBe(`\${HOME}`);
    expect(text).toContain(`"\${HOME}"`);
  });

  test('does not touch a file that is broken', () => {
    expect(() => edit('{\n oops', 'limits.pageSize', 5)).toThrow(
      failing('CONFIG_INVALID_VALUE', /^The file is broken and must be mended first: line 2, column 2: /),
    );
  });

  test.each<[Json]>([[{ redact: [] }], [{ retentionDays: 5 }], [null]])(
    'refuses to change a protected setting through what holds it: %j',
    (value) => {
      const text = '{"trace":{"redact":["pin"]}}';
      expect(() => edit(text, 'trace', value)).toThrow(failing('CONFIG_PROTECTED', /^trace\.redact cannot/));
    },
  );

  test('changes what lies beside a protected setting', () => {
    const { after } = edit('{"trace":{"redact":["pin"]}}', 'trace', { retentionDays: 5, redact: ['pin'] });
    expect(after).toEqual({ trace: { retentionDays: 5, redact: ['pin'] } });
  });

  test("refuses to change, through what holds it, what a project's file cannot decide", () => {
    const value = { pageSize: 5, request: { maxArraySize: 'wrong' } };
    expect(() => editIn('project')('{}', 'limits', value)).toThrow(
      failing(
        'CONFIG_PROTECTED',
        /^limits\.request cannot be decided by a project's file; set it in the scope global$/,
      ),
    );
    expect(editIn('project')('{}', 'limits', { pageSize: 5 }).after).toEqual({ limits: { pageSize: 5 } });
  });
});

describe('requireUnprotected', () => {
  test.each([
    'server',
    'server.name',
    'guard.policies',
    'mcpServers["a.b"].command',
    'code',
    'trace.redact',
    'trace.redact[0]',
    'models.providers.x',
  ])('refuses %s', (path) => {
    expect(() => requireUnprotected(parsePath(path), 'global')).toThrow(failing('CONFIG_PROTECTED'));
    expect(() => requireUnprotected(parsePath(path), 'project')).toThrow(failing('CONFIG_PROTECTED'));
  });

  test.each(['trace', 'trace.retentionDays', 'limits', 'models', 'serverless'])('lets %s pass', (path) => {
    expect(() => requireUnprotected(parsePath(path), 'global')).not.toThrow();
  });

  test("refuses, in a project's file, all that it cannot decide, and lets the rest pass", () => {
    for (const key of [...TRUSTED_KEYS, ...PROTECTED_PATHS, 'trace.retentionDays']) {
      expect(() => requireUnprotected(parsePath(key), 'project')).toThrow(failing('CONFIG_PROTECTED'));
    }
    for (const key of ['limits', 'limits.pageSize', 'timeouts.toolOverrides.memory_search']) {
      expect(() => requireUnprotected(parsePath(key), 'project')).not.toThrow();
    }
  });
});
