import { expect, test } from 'vitest';
import { createAssignments } from './assignments.js';
import { secretNames } from './secret-shapes.js';

const redact = createAssignments(secretNames(['pin']));

test.each([
  ['password=hunter2', 'password=***'],
  ['token: abc', 'token: ***'],
  ['connect(password=abc, user=x)', 'connect(password=***, user=x)'],
  ['https://host/?api_key=abc&page=2', 'https://host/?api_key=***&page=2'],
  ['DB_PASSWORD=a\nDB_HOST=b', 'DB_PASSWORD=***\nDB_HOST=b'],
  ["export SECRET_KEY='a b' # two words", "export SECRET_KEY='***' # two words"],
  ['headers["x-api-key"] = "abc";', 'headers["x-api-key"] = "***";'],
  ["'password' => 'x', 'user' => 'y'", "'password' => '***', 'user' => 'y'"],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: ***'],
  ['Authorization: Digest username="x", response="y"\r\nHost: z', 'Authorization: ***\r\nHost: z'],
  ['Set-Cookie: sid=abc; Path=/\nAge: 0', 'Set-Cookie: ***\nAge: 0'],
  ['token: Bearer abc def', 'token: *** def'],
  ['tokens: [abc, "d e", 5] end', 'tokens: [***, "*** ***", 5] end'],
  ['credentials: {a: {b: "x"}, c: "y"} end', 'credentials: {***: {***: "***"}, ***: "***"} end'],
  ['pin=1234', 'pin=***'],
  ['password=12345678', 'password=***'],
])('%s becomes %s', (text, safe) => {
  expect(redact(text)).toBe(safe);
  expect(redact(safe)).toBe(safe);
});

test.each([
  ['said {"password":"a\\"b","x":"y"}', 'said {"password":"***","x":"y"}'],
  ['said {"password":"a\\\\","x":"y"}', 'said {"password":"***","x":"y"}'],
  [String.raw`said {\"password\":\"a\\\"b\",\"x\":1}`, String.raw`said {\"password\":\"***\",\"x\":1}`],
  [String.raw`said {\\\"password\\\":\\\"ab\\\"}`, String.raw`said {\\\"password\\\":\\\"***\\\"}`],
  [String.raw`"{\"password\":\"cut off" and more`, String.raw`"{\"password\":\"***" and more`],
  ['said {"password":"never closed', 'said {"password":"***'],
])('quotes are followed to their end at any depth: %s', (text, safe) => {
  expect(redact(text)).toBe(safe);
});

test.each([
  'Enter your password to get a token.',
  'if (token === undefined) return token;',
  'const ids = tokens.map((token) => token.id);',
  'interface Login { password: string; token?: string }',
  '{ maxTokens: 5, total_tokens=4096 }',
  'token count: 17',
  'std::token::value and secret://name',
  'password:',
  '',
])('%s is left as it is', (text) => {
  expect(redact(text)).toBe(text);
});
