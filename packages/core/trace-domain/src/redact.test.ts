import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from './redact.js';

const redactor = createRedactor(['pinCode']);
const key = 'dQw4w9WgXcQ7zR2kP5mN8vB1';

describe('by name', () => {
  test.each(['password', 'PASSWD', 'clientSecret', 'accessToken', 'apikey', 'API_KEY', 'x-api-key', 'Authorization'])(
    'the text of a field named %s is replaced',
    (name) => {
      expect(redactor.json({ [name]: 'x', other: 'y' })).toBe(JSON.stringify({ [name]: '***', other: 'y' }));
    },
  );

  test.each(['Set-Cookie', 'awsCredentials', 'private_key', 'PINCODE'])('so is that of %s', (name) => {
    expect(redactor.json({ [name]: 'x' })).toBe(JSON.stringify({ [name]: '***' }));
  });

  test('numbers and other values stay: maxTokens is no secret', () => {
    const usage = { maxTokens: 5, tokens: null, hasToken: true };
    expect(redactor.json(usage)).toBe(JSON.stringify(usage));
    expect(redactor.value(usage)).toBe(usage);
  });

  test('strings below a secret name are replaced at any depth', () => {
    expect(redactor.json({ tokens: ['abc'], credentials: { user: 'x', list: [{ pass: 'y', port: 1 }] } })).toBe(
      '{"tokens":["***"],"credentials":{"user":"***","list":[{"pass":"***","port":1}]}}',
    );
  });
});

describe('inside strings', () => {
  test.each([
    ['{"user":"a","password":"x"}', '{"user":"a","password":"***"}'],
    ['[{"tokens":["abc",{"a":"b"}]}]', '[{"tokens":["***",{"a":"***"}]}]'],
    [JSON.stringify({ body: '{"password":"x"}' }), JSON.stringify({ body: '{"password":"***"}' })],
    ['{"password":"x", not JSON', '{"password":"***", not JSON'],
    ['password=hunter2', 'password=***'],
    ['token: abc', 'token: ***'],
    [`the key is ${key}.`, 'the key is ***.'],
    ['curl https://user:pass@host', 'curl https://***@host'],
  ])('%s becomes %s', (text, safe) => {
    expect(redactor.text(text)).toBe(safe);
    expect(JSON.parse(redactor.json({ a: [text] }))).toEqual({ a: [safe] });
    expect(redactor.value({ a: [text] })).toEqual({ a: [safe] });
  });

  test('keys of objects are looked at too', () => {
    expect(redactor.json({ [key]: 1 })).toBe('{"***":1}');
  });

  test('prose and code are left as they are', () => {
    const texts = [
      'The session ended at 2026-01-02T03:04:05.678Z; its id is 0193a5c2-7b1e-7c3a-9f00-1a2b3c4d5e6f.',
      'Every token costs money, so ask for a password only once, and keep the secret well.',
      'export const compose = (layers: readonly Middleware[]): Handler => layers.reduceRight((a, b) => (c) => b(c, a));',
      'for (let index = MIN_RUN - 1; index < text.length; index += 20) { if (kinds[index] === 0) continue; }',
      'git checkout da39a3ee5e6b4b0d3255bfef95601890afd80709 -- packages/core/trace-domain/src/redact.ts',
      'C:\\Users\\someone\\AppData\\Local\\Programs\\node20\\node.exe',
      'Straße, naïve, 日本語のテキスト, 😀',
    ];
    for (const text of texts) expect(redactor.text(text)).toBe(text);
    expect(redactor.json(texts)).toBe(JSON.stringify(texts));
    expect(redactor.value(texts)).toBe(texts);
  });
});

describe('JSON at hand', () => {
  test('clean JSON is returned as it is', () => {
    const text = '{ "a" : 1 }';
    expect(redactor.jsonText(text, { a: 1 })).toBe(text);
  });

  test('letters that a foreign writer has escaped hide nothing', () => {
    const value = { password: 'x', link: 'https://user:pass@host' };
    const text = '{"p\\u0061ssword":"x","link":"https:\\/\\/user:pass@host"}';
    expect(redactor.jsonText(text, value)).toBe('{"password":"***","link":"https://***@host"}');
  });

  test('what is found in the whole JSON is what is found in each of its strings', () => {
    const secrets = [
      key,
      'sk-abcdefgh',
      'ghp_abcdef123',
      'Bearer',
      'eyJhbGci.eyJzdWIi.abc',
      '://a:b@c',
      'AKIAIOSFODNN7',
    ];
    const words = [
      'token',
      'password',
      '"',
      '\\',
      '\n',
      '\t',
      ' ',
      ':',
      '=',
      '/',
      'n',
      'abc-DEF',
      '123',
      '\ud800',
      '{',
      '}',
    ];
    const text = fc.array(fc.constantFrom(...secrets, ...words), { maxLength: 8 }).map((parts) => parts.join(''));
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text, { maxKeys: 3 }));
    fc.assert(
      fc.property(value, (any) => {
        expect(redactor.json(any)).toBe(JSON.stringify(redactor.value(any)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('size', () => {
  test('16 KiB is the limit unless told', () => {
    const fitting = { a: 'x'.repeat(16_384 - 8) };
    expect(redactor.json(fitting)).toHaveLength(16_384);
    expect(Buffer.byteLength(redactor.json({ a: `${fitting.a}y` }))).toBeLessThan(16_384);
    expect(redactor.json({ a: `${fitting.a}y` })).toMatch(/^\{"a":"x+… \[cut: \d+ more characters\]"\}$/);
  });

  test('a cut keeps the small fields beside a large one', () => {
    const cut = JSON.parse(redactor.json({ before: 1, large: Array(50_000).fill('item'), after: 'here' }));
    expect(cut).toMatchObject({ before: 1, after: 'here' });
    expect(cut.large.at(-1)).toMatch(/\[cut: \d+ more items\]/);
  });

  test('a secret at the border is gone before the cut', () => {
    for (let border = 4050; border < 4110; border++) {
      const json = redactor.json({ a: `${'x '.repeat(border / 2)} ${key}${' y'.repeat(20_000)}` });
      expect(json).not.toContain(key.slice(0, 6));
    }
  });

  test('any value is valid JSON within its limit', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.nat(300), (value, maxBytes) => {
        const json = redactor.json(value, maxBytes + 4);
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxBytes + 4);
        expect(() => JSON.parse(json)).not.toThrow();
      }),
    );
  });

  test('where there is no room for any of it, it says only that it was cut', () => {
    expect(redactor.json({ a: 'x'.repeat(100) }, 20)).toBe('"… [cut]"');
    expect(redactor.json({ a: 'x'.repeat(100) }, 10)).toBe('null');
  });
});

describe('values that JSON cannot hold', () => {
  test('nothing throws', () => {
    const circle: unknown[] = [5n];
    circle.push(circle);
    expect(redactor.json(circle)).toBe('["5","[circular]"]');
    expect(redactor.json(undefined)).toBe('null');
    expect(redactor.json(() => 1)).toBe('null');
    expect(redactor.json(Symbol('x'))).toBe('null');
    expect(redactor.json('\ud800')).toBe('"\\ud800"');
    expect(redactor.value(circle)).toBe(circle);
  });

  test('secrets beside them are replaced', () => {
    const value = {
      big: 5n,
      token: 'x',
      get bad() {
        throw new Error('no');
      },
    };
    expect(redactor.json(value)).toBe('{"big":"5","token":"***","bad":"[unreadable]"}');
  });

  test('what is nested so deep that it could not be written again is cut', () => {
    const text = `${'['.repeat(8000)}${']'.repeat(8000)}`;
    const json = redactor.jsonText(text, JSON.parse(text));
    expect(json).toContain('[cut: deeper than 100 levels]');
    let deep: unknown = { password: 'x' };
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(JSON.stringify(JSON.parse(redactor.json(deep)))).not.toContain('"x"');
    expect(JSON.stringify(redactor.value(deep))).not.toContain('"x"');
  });

  test('a word too long for a regular expression is not shown', () => {
    expect(redactor.text(`sk-${'a1Z'.repeat(10_000_000)}`)).toBe('***');
  });
});

const ADVERSARIES = [
  'a',
  '-',
  '\\',
  '"',
  '\\"',
  'token',
  'token ',
  'token=',
  'token="',
  'token:\\"',
  'token:[',
  'token:{',
  'tokens-',
  'authorization:',
  'cookie: \n',
  'sk-',
  '-eyJ',
  'eyJaaaa.',
  '.eyJaaaa',
  'eyJaaaa.bbbb',
  '://',
  '://a',
  '://a@',
  'bearer ',
  'bearer aaaaaaaaaaaaaaa',
  '-----BEGIN RSA PRIVATE KEY-----',
  '-----BEGIN ',
  '-----END ',
  'ghp_',
  'xoxb-',
  'AKIA',
  'AIza',
  'aB3',
  'aB3dE5fG7hJ9kL1mN2p ',
  'abc123XYZ-',
  '{"a":',
  '{"token":"',
  '[{',
  '\ud800',
];

test.each(ADVERSARIES)('a megabyte of %j is dealt with in well under a second', (part) => {
  const text = `token${part.repeat(1_000_000 / part.length)}`;
  const start = performance.now();
  redactor.text(text);
  redactor.json({ text });
  expect(performance.now() - start).toBeLessThan(1000);
});
