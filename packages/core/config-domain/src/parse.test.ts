import { describe, expect, test } from 'vitest';
import { describeProblem, parseConfig } from './parse.js';

const options = { environment: { NAME: 'mine', EMPTY: '', HOME: '/home/ada' }, untrustedKeys: [] };
const problemsOf = (text: string, environment = {}) =>
  parseConfig(text, { ...options, environment }).problems.map(describeProblem);

describe('a good file', () => {
  test('is kept as written and expanded for use', () => {
    const parsed = parseConfig(`{"server":{"name":"\${NAME}","description":"<\${EMPTY}>"}}`, options);
    expect(parsed.problems).toEqual([]);
    expect(parsed.file).toEqual({ server: { name: `\${NAME}`, description: `<\${EMPTY}>` } });
    expect(parsed.settings).toEqual({ server: { name: 'mine', description: '<>' } });
  });

  test.each([
    `{"limits":{"response":{"truncationSuffix":"\${HOME}"}}}`,
    `{"$schema":"\${HOME}"}`,
    `{"$schema":"\${NO}"}`,
  ])('%s stays as it is written: only protected settings see the environment', (text) => {
    expect(parseConfig(text, options)).toMatchObject({ settings: JSON.parse(text), problems: [] });
  });

  test('may begin with a byte order mark', () => {
    expect(parseConfig('\uFEFF{"limits":{"pageSize":5}}', options)).toMatchObject({
      file: { limits: { pageSize: 5 } },
      problems: [],
    });
  });

  test('may be empty of settings', () => {
    expect(parseConfig(' {} \n', options)).toEqual({ file: {}, settings: {}, untrusted: [], problems: [] });
  });
});

describe('a broken file', () => {
  test.each([
    ['{\n  "limits": {,\n}', 'line 2, column 14: expected a name in double quotes'],
    ['\uFEFF{ x }', 'line 1, column 3: expected a name in double quotes'],
    ['[]', 'line 1, column 1: expected an object'],
    ['', 'line 1, column 1: expected a value'],
    ['{\n "limts": {}\n}', 'line 2, column 2: unknown key limts; the nearest known one is limits'],
    [
      '{"limits":{"pagesize":1}}',
      'line 1, column 12: unknown key limits.pagesize; the nearest known one is limits.pageSize',
    ],
    [
      '{"limits":{"pageSize":"5"}}',
      'line 1, column 12: limits.pageSize is not valid: expected number, received string',
    ],
    ['{"limits":{"pageSize":5000}}', 'line 1, column 12: limits.pageSize is not valid: expected number to be <=1000'],
    [
      '{"storage":{"synchronous":"x"}}',
      'line 1, column 13: storage.synchronous is not valid: expected one of "normal"|"full"',
    ],
    [
      '{"trace":{"redact":["a",1]}}',
      'line 1, column 25: trace.redact[1] is not valid: expected string, received number',
    ],
    ['{"rateLimits":{"scan":{"burst":1}}}', 'line 1, column 16: rateLimits.scan.perSecond is missing'],
    ['{"cache":null}', 'line 1, column 2: cache is not valid: expected object, received null'],
    [
      `{"server":{"name":"\${NO}"}}`,
      'line 1, column 12: server.name needs the environment variable NO, which is not set',
    ],
    [
      `{"storage":{"synchronous":"\${NO}"}}`,
      'line 1, column 13: storage.synchronous is not valid: expected one of "normal"|"full"',
    ],
  ])('%j is told in one sentence', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test('tells its problems in the order in which they stand', () => {
    expect(
      problemsOf(`{"zzz":1,\n"limits":{"pageSize":0},\n"server":{"name":"\${NO}"}}`).map((text) => text.slice(0, 6)),
    ).toEqual(['line 1', 'line 2', 'line 3']);
  });

  test('is never quoted: a value may be a secret', () => {
    expect(problemsOf('{"server":{"name":"sk-sentinel" "x"}}').join()).not.toContain('sentinel');
    expect(problemsOf('{"limits":{"pageSize":"sk-sentinel"}}').join()).not.toContain('sentinel');
    const [problem] = problemsOf(`{"server":{"name":"\${S}"}}`, { S: 'sk-sentinel'.repeat(10) });
    expect(problem).toBe('line 1, column 12: server.name is not valid: expected string to have <=100 characters');
  });

  test('is refused by its size before it is read', () => {
    const filled = (bytes: number) => `{"$schema":"${'é'.repeat((bytes - 14) / 2)}"}`;
    expect(problemsOf(filled(1_048_576))).toEqual([]);
    expect(problemsOf(filled(1_048_578))).toEqual(['the file is larger than 1 MiB']);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('cannot use the name %s anywhere', (name) => {
    expect(problemsOf(`{"${name}":{"polluted":1}}`)[0]).toContain(`unknown key ${name}`);
    expect(problemsOf(`{"timeouts":{"toolOverrides":{"${name}":1}}}`)[0]).toContain(
      `unknown key timeouts.toolOverrides.${name}`,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['constructor', '__proto__', 'toString'])(
    `does not take \${%s} from the prototype of the environment`,
    (name) => {
      expect(problemsOf(`{"server":{"name":"\${${name}}"}}`)[0]).toContain(`variable ${name}, which is not set`);
    },
  );

  test('with a hundred thousand unknown keys is answered at once, with the first few', () => {
    const names = Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`);
    const started = performance.now();
    expect(problemsOf(`{${names.join()}}`)).toHaveLength(5);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test('untrusted keys have no effect, are named, and are not checked', () => {
  const text = `{"server":{"name":7},"mcpServers":{"a":{"command":"\${NO}"}},"limits":{"pageSize":5}}`;
  const parsed = parseConfig(text, { ...options, untrustedKeys: ['server', 'guard', 'mcpServers'] });
  expect(parsed.problems).toEqual([]);
  expect(parsed.untrusted).toEqual(['server', 'mcpServers']);
  expect(parsed.settings).toEqual({ limits: { pageSize: 5 } });
  expect(parsed.file).toEqual(JSON.parse(text));
});
