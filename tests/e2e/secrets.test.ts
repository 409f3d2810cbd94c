import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../support/database.js';
import { temporaryFolder } from '../support/paths.js';
import { TestClient } from '../support/test-client.js';

/** Made up, and each recognisable by its shape or by the name it stands under. */
const SENTINELS = {
  byName: 'plain-words-that-nobody-would-guess',
  openAi: `sk-${'Ab3dEf6hIj9lMn2pQr5t'.repeat(2)}`,
  gitHub: `ghp_${'aB1cD2eF3gH4iJ5kL6mN'.repeat(2).slice(0, 36)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"sentinel"}').toString('base64url')}.c2lnbmF0dXJlLXNlbnRpbmVs`,
  url: 'hunter2sentinel',
};

const occurrencesIn = (text: string) =>
  Object.entries(SENTINELS)
    .filter(([, secret]) => text.includes(secret))
    .map(([name]) => name);

test('a secret in arguments, results, errors, the environment or a URL reaches no trace, log or error', async () => {
  const client = await TestClient.start({
    program: 'fixture',
    args: ['--log-level', 'debug'],
    env: { MY_API_KEY: SENTINELS.openAi },
  });
  const hidden = {
    password: SENTINELS.byName,
    nested: { headers: { Authorization: `Bearer ${SENTINELS.jwt}` } },
    text: `use ${SENTINELS.openAi} and ${SENTINELS.gitHub}`,
    address: `https://user:${SENTINELS.url}@example.com/`,
  };
  await client.data('test_echo', hidden);
  await client.call('test_bug', { message: `it broke with ${SENTINELS.openAi} at https://me:${SENTINELS.url}@host` });
  await client.call('memory_store', { key: SENTINELS.gitHub, value: hidden, expectedVersion: 9 });
  await client.call('memory_store', { key: 'k', token: SENTINELS.byName });
  await client.call('memory_store', { key: 'k', [SENTINELS.openAi]: 1 });
  await client.call('memory_store', { key: 'k', value: 1, sessionId: SENTINELS.gitHub });
  await client.call('test_echo', {}, { 'automatosx/sessionId': SENTINELS.openAi });
  await client.data('memory_store', { key: 'kept', value: hidden });

  const errors = JSON.stringify(client.messages.filter(({ result }) => result?.isError).map(({ result }) => result));
  expect(occurrencesIn(errors)).toEqual([]);
  const { traces } = await client.data('trace_list', { limit: 100 });
  for (const { traceId } of traces) {
    const { result } = await client.request('tools/call', { name: 'trace_get', arguments: { traceId } });
    expect(occurrencesIn(JSON.stringify(result))).toEqual([]);
  }
  // What was stored on purpose is given back as it is.
  expect((await client.data('memory_retrieve', { key: 'kept' })).value).toEqual(hidden);
  await client.end();
  await expect.poll(() => client.stderr).toContain('it broke with');
  expect(occurrencesIn(client.stderr)).toEqual([]);
  // Memory holds what it was told to hold; everything else in the file is free of it.
  expect(occurrencesIn(await textOf(client.home))).toEqual([]);
});

test('names that the configuration adds are secrets in traces and logs too', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.json'), '{"trace": {"redact": ["kennwort"]}}');
  const client = await TestClient.start({ program: 'fixture', home });
  await client.call('test_echo', { kennwort: SENTINELS.byName });
  await client.call('test_bug', { message: `kennwort=${SENTINELS.byName}` });
  await client.end();
  await expect.poll(() => client.stderr).toContain('kennwort=***');
  expect(occurrencesIn(client.stderr + (await textOf(home)))).toEqual([]);
});

test('settings that are secrets are shown as stars', async () => {
  const client = await TestClient.start();
  await client.data('config_set', { path: 'limits.response.truncationSuffix', value: SENTINELS.gitHub });
  const shown = await client.data('config_show');
  expect(occurrencesIn(JSON.stringify(shown))).toEqual([]);
  expect(readFileSync(join(client.home, 'config.json'), 'utf8')).toContain(SENTINELS.gitHub);
  await client.end();
});

test('no answer names a path of the host or shows a stack', async () => {
  const client = await TestClient.start({ program: 'fixture' });
  await client.call('test_bug', { message: 'x' });
  await client.call('config_show');
  await client.call('config_get', { path: 'nothing.like.this' });
  await client.call('memory_retrieve', { key: 'a' });
  await client.call('trace_list', {});
  const answers = JSON.stringify(client.messages);
  expect(answers).not.toContain(client.home);
  expect(answers).not.toMatch(/at \w+ \(|\.js:\d+|node_modules/);
  await client.end();
});
