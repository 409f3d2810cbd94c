import { expect, test } from 'vitest';
import { MAY_HOLD_SHAPE, redactShapes, secretNames } from './secret-shapes.js';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----';

const SECRETS = [
  'sk-abcdefgh',
  'sk-proj-1a2B3c4D5e6F',
  'sk-ant-api03-sentinel-secret',
  'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  'gho_16C7e42F292c',
  'ghs_16C7e42F292c',
  'github_pat_11ABCDEFG0abcdef',
  'xoxa-2-abcdef',
  'xoxb-17653672481-19874698323',
  'xoxp-17653672481-abc',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
  jwt,
  pem,
];

test.each(SECRETS)('%s is replaced wherever it stands', (secret) => {
  for (const [before, after] of [
    ['', ''],
    ['see ', ' there'],
    ['line\n', '\nline'],
    ['("', '")'],
    ['key=', ';'],
    ['\\n', '\\n'],
  ]) {
    const text = `${before}${secret}${after}`;
    expect(MAY_HOLD_SHAPE.test(JSON.stringify(text))).toBe(true);
    expect(redactShapes(text)).toBe(`${before}***${after}`);
  }
});

test.each([
  ['https://user:pass@host/path', 'https://***@host/path'],
  ['postgres://me:p@ss:word@db:5432/x', 'postgres://***@db:5432/x'],
  ['see https://token@github.com.', 'see https://***@github.com.'],
  ['Bearer abc-DEF_123', 'Bearer ***'],
  ['BEARER\n0123456789', 'BEARER\n***'],
  ['bearer abcdefghijklmnop', 'bearer ***'],
  ['a -----BEGIN PRIVATE KEY-----\nMIIE, cut off', 'a ***'],
  [`${pem} and ${pem}`, '*** and ***'],
])('%s becomes %s', (text, safe) => {
  expect(MAY_HOLD_SHAPE.test(JSON.stringify(text))).toBe(true);
  expect(redactShapes(text)).toBe(safe);
});

test.each([
  'task-management-overview',
  'a risk-benefit analysis',
  'sk-SK',
  'bearer tokens are sent in a header',
  'the bearer of this letter',
  'https://packages.example.com/@scope/name',
  'https://host/path?mail=a@b.c',
  'someone@example.com',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'AKIA is a prefix, and so is AIza',
  'eyJ begins a JSON object in base64',
])('%s is left as it is', (text) => {
  expect(redactShapes(text)).toBe(text);
});

test('names are found anywhere in a text and in any case; further names are taken literally', () => {
  const names = new RegExp(secretNames(['pin.code', '']), 'i');
  for (const name of ['dbPassword', 'PASSWD', 'client_secret', 'accessToken', 'X-Api-Key', 'apikey', 'api_key']) {
    expect(names.test(name)).toBe(true);
  }
  for (const name of ['Proxy-Authorization', 'set-cookie', 'Credentials', 'private_key', 'MY_PIN.CODE']) {
    expect(names.test(name)).toBe(true);
  }
  for (const name of ['name', 'pinXcode', 'keyboard', 'pass', 'private']) expect(names.test(name)).toBe(false);
});
