import { expect, test } from 'vitest';
import { hasRandomRun, isRandom, replaceRandomRuns } from './entropy.js';

const KEYS = [
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'dQw4w9WgXcQ7zR2kP5mN8vB1',
  'x7f3k9q2m5n8p1r4t6v0',
  'V1StGXR8_Z5jdHi6B-myT',
  'K87oWBWM9UZfyddvDfoxL+8lpNyoUB2ptGtn0fv6G2Q=',
  'npm_8Kx2Lm9QpR4tVw7YzB3nD6fH1jS5gC0eAa',
  'hf_QwErTy1234UiOpAs5678DfGhJk',
  'JBSWY3DPEHPK3PXPJBSW2Y3DP5HPK3P',
  'A1B2-C3G4-E5F6-H7I8-J9K0',
];

const ORDINARY = [
  '0193a5c2-7b1e-7c3a-9f00-1a2b3c4d5e6f',
  '0193a5c2-7b1e-7c3a-9f00-1a2b3c4d5e6f/3',
  'session-0193a5c2-7b1e-7c3a-9f00-1a2b3c4d5e6f',
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '2026-01-02T03-04-05-678Z',
  '20260102T030405678900Z',
  'claude-3-5-sonnet-20241022',
  'gpt-4o-mini-2024-07-18',
  '/home/user/projects/automatosx-mcp/packages/core/trace-domain/src/redact',
  'node_modules/vitest/dist/chunks/utils2',
  'packages/contracts/src/mcp/v1/tools/memory',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'mustBeStringOrUint8Array',
  'X25519KeyPairKeyObjectOptions',
  'getUserNameByIdOrThrowAnError',
  'MAX_RESPONSE_BYTES_PER_CALL_V2',
  'the-quick-brown-fox-jumps-over-13-lazy-dogs',
  'automatosx/idempotencyKey',
  '12345678901234567890123456789',
  'a1a1a1a1a1a1a1a1a1a1a1a1',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
];

test.each(KEYS)('%s is random', (key) => {
  expect(isRandom(key)).toBe(true);
});

test.each(ORDINARY)('%s is not random', (text) => {
  expect(isRandom(text)).toBe(false);
});

test('a run of more than 200 characters is a text or an image in base64, and stays', () => {
  const image = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 7919) % 251)).toString('base64');
  expect(isRandom(image.slice(0, 200))).toBe(true);
  expect(replaceRandomRuns(`data:image/png;base64,${image}`, '***')).toContain(image);
});

test.each(KEYS)('%s is found and replaced at every place of a text', (key) => {
  for (let padding = 0; padding < 45; padding++) {
    const text = `${'x '.repeat(padding)}"${key}", and on`;
    expect(hasRandomRun(text)).toBe(true);
    expect(replaceRandomRuns(text, '***')).toBe(text.replace(key, '***'));
  }
});

test('a text of ordinary runs has no random one', () => {
  expect(hasRandomRun(ORDINARY.join(' '))).toBe(false);
  expect(replaceRandomRuns(ORDINARY.join(' '), '***')).toBe(ORDINARY.join(' '));
});

test('a run after a backslash is suspected, since the letter before it may be a line break', () => {
  const digest = 'e3b0c44298fc1c149afbf4c8996fb924';
  expect(hasRandomRun(JSON.stringify(`\n${digest}`))).toBe(true);
  expect(replaceRandomRuns(`\n${digest}`, '***')).toContain(digest);
  const longest = 'dQw4w9WgXcQ7zR2kP5mN8vB1'.repeat(9).slice(0, 200);
  expect(hasRandomRun(JSON.stringify(`\n${longest}`))).toBe(true);
});
