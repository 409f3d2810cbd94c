import { expect, test } from 'vitest';
import { parserFor } from './source.js';

const environment = { HOME: '/home/ada' };

test.each([
  ['{"trace":{"redact":[],"retentionDays":7}}', ['trace'], {}],
  ['{"limits":{"request":{"maxRequestBytes":1},"pageSize":7}}', ['limits.request'], { limits: { pageSize: 7 } }],
  ['{"rateLimits":{},"cache":{},"storage":7,"timeouts":{}}', ['storage', 'rateLimits', 'cache'], { timeouts: {} }],
  [`{"server":{"name":"\${HOME}"},"$schema":"\${HOME}"}`, ['server'], { $schema: `\${HOME}` }],
])('a project that says %s decides nothing of trusted keys and learns nothing of the environment', (...example) => {
  const [text, untrusted, settings] = example;
  expect(parserFor('project', environment)(text)).toMatchObject({ untrusted, problems: [] });
  expect(parserFor('project', environment)(text).settings).toEqual(settings);
});

test('the user decides all of it', () => {
  const text = `{"server":{"name":"\${HOME}"},"trace":{"redact":["pin"]}}`;
  expect(parserFor('global', environment)(text)).toMatchObject({
    settings: { server: { name: '/home/ada' }, trace: { redact: ['pin'] } },
    untrusted: [],
    problems: [],
  });
});
