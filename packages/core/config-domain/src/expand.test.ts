import { expect, test } from 'vitest';
import { expand } from './expand.js';

const environment = { NAME: 'mine', EMPTY: '', HOME: '/home/ada' };
const HOME = `\${HOME}`;

test('every variable of a protected setting is replaced, in lists and beside other text too', () => {
  const settings = {
    server: { name: `\${NAME}`, description: `<\${EMPTY}> \${NAME} at \${HOME}` },
    trace: { redact: [HOME] },
  };
  expect(expand(settings, environment)).toEqual({
    settings: { server: { name: 'mine', description: '<> mine at /home/ada' }, trace: { redact: ['/home/ada'] } },
    unset: [],
  });
});

test.each([
  [{ limits: { response: { truncationSuffix: HOME } } }],
  [{ $schema: HOME }],
  [{ serverless: HOME }],
  [{ trace: { redacted: HOME } }],
  [{ limits: { server: HOME } }],
  [{ $schema: `\${NO}` }],
])('elsewhere it stays as it is written: %j', (settings) => {
  expect(expand(settings, environment)).toEqual({ settings, unset: [] });
});

test('a variable that is not set stays as it is written, and is named', () => {
  const settings = { server: { name: `\${NO}-\${toString}` } };
  expect(expand(settings, environment)).toEqual({
    settings,
    unset: [
      { name: 'NO', path: ['server', 'name'] },
      { name: 'toString', path: ['server', 'name'] },
    ],
  });
});

test('what a variable holds is not expanded again', () => {
  expect(expand({ server: { name: `\${NAME}` } }, { NAME: HOME, HOME: 'x' }).settings).toEqual({
    server: { name: HOME },
  });
});
