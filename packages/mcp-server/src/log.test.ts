import { expect, test } from 'vitest';
import { createLog, LOG_LEVELS, type LogLevel } from './log.js';

function setup(level: LogLevel) {
  const lines: string[] = [];
  return { lines, log: createLog({ level, write: (line) => lines.push(line), toJson: JSON.stringify }) };
}

test.each([
  ['silent', 0],
  ['error', 1],
  ['warn', 2],
  ['info', 3],
  ['debug', 4],
] as const)('at level %s there are %i lines of four', (level, count) => {
  const { log, lines } = setup(level);
  for (const of of LOG_LEVELS) if (of !== 'silent') log(of, 'something');
  expect(lines).toHaveLength(count);
});

test('a line is JSON with time, level, message and details, and ends with a newline', () => {
  const { log, lines } = setup('warn');
  log('warn', 'two\nlines', { tool: 'memory_store' });
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(JSON.parse(lines[0] as string)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    level: 'warn',
    message: 'two\nlines',
    tool: 'memory_store',
  });
});

test('errors are told with their causes', () => {
  const { log, lines } = setup('error');
  log('error', 'failed', { error: new TypeError('outer', { cause: new Error('inner') }), other: 1 });
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    error: {
      name: 'TypeError',
      message: 'outer',
      stack: expect.stringContaining('log.test.ts'),
      cause: { name: 'Error', message: 'inner' },
    },
    other: 1,
  });
});
