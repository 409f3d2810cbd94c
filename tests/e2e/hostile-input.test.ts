import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/paths.js';
import { answersTo, residentMegabytes, started } from '../support/started.js';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterEach(async () => {
  // Whatever was sent, the server is alive, in step, and has told nobody of a bug.
  expect(await client.data('test_echo', { still: 'here' })).toEqual({ echo: { still: 'here' } });
  expect(client.stderr).toBe('');
  client.messages.length = 0;
});
afterAll(() => client.kill());

const DEPTH = 100_000;
const nested = (open: string, close: string) => open.repeat(DEPTH) + close.repeat(DEPTH);
const callLine = (id: string, argumentsJson: string) =>
  `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"test_echo","arguments":${argumentsJson}}}\n`;

test('a request over 10 MiB is refused with -32600, and one below is read', async () => {
  client.write(callLine('large', `{"text":"${'x'.repeat(10_485_760)}"}`));
  expect((await client.answerTo(null)).error).toMatchObject({
    code: -32600,
    message: expect.stringContaining('10485760'),
  });
  client.write(callLine('smaller', `{"text":"${'x'.repeat(10_480_000)}"}`));
  expect((await client.answerTo('smaller')).result.structuredContent.error.context.errors[0]).toMatchObject({
    path: 'text',
    limit: 100_000,
    actual: 10_480_000,
  });
  expect(answersTo(client, 'large')).toEqual([]);
});

test('what is too large is not parsed: no JSON over the limit is refused for its size', async () => {
  client.write(`${'{'.repeat(10_485_761)}\n`);
  expect((await client.answerTo(null)).error?.code).toBe(-32600);
});

test('the limit can be set', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.json'), '{"limits": {"request": {"maxRequestBytes": 2000}}}');
  const own = await started({ home, program: 'fixture' });
  own.write(`{"jsonrpc":"2.0","id":"large","method":"ping","params":{"x":"${'x'.repeat(2000)}"}}\n`);
  expect((await own.answerTo(null)).error).toMatchObject({ code: -32600, message: expect.stringContaining('2000') });
  const exact = '{"jsonrpc":"2.0","id":"exact","method":"ping","params":{"x":""}}';
  own.write(`${exact.replace('""', `"${'x'.repeat(2000 - exact.length)}"`)}\n`);
  expect((await own.answerTo('exact')).result).toEqual({});
});

test.each([
  ['lists', nested('[', ']')],
  ['objects', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
])('%s 100,000 deep in the arguments are refused by the tool', async (_what, json) => {
  client.write(callLine('deep', `{"value":${json}}`));
  expect((await client.answerTo('deep')).result.structuredContent.error).toMatchObject({
    code: 'INVALID_INPUT',
    context: { errors: [{ code: 'too_deep', limit: 10, actual: 11 }] },
  });
});

test.each([
  ['the message itself', nested('[', ']'), null, -32600],
  ['the id', `{"jsonrpc":"2.0","method":"ping","id":${nested('[', ']')}}`, null, -32600],
  ['the method', `{"jsonrpc":"2.0","id":"m","method":${nested('[', ']')}}`, 'm', -32600],
  ['the params', `{"jsonrpc":"2.0","id":"p","method":"ping","params":${nested('[', ']')}}`, 'p', -32602],
  [
    'the declared version',
    `{"jsonrpc":"2.0","id":"v","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":${nested('[', ']')}}}}`,
    'v',
    -32602,
  ],
  ['half of it', `{"jsonrpc":"2.0","id":1,"params":${'['.repeat(DEPTH)}`, null, -32700],
])('100,000 levels in %s are refused', async (_what, line, id, code) => {
  client.write(`${line}\n`);
  expect((await client.answerTo(id)).error?.code).toBe(code);
});

const keys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`;

test('too many keys are refused by the tool', async () => {
  client.write(callLine('keys', keys(50_000)));
  expect((await client.answerTo('keys')).result.structuredContent.error).toMatchObject({
    code: 'INVALID_INPUT',
    context: { errors: [{ code: 'too_many_keys', limit: 10_000, actual: 50_000 }] },
  });
});

test('a million keys, or a million containers, are refused before they are parsed, under the id', async () => {
  const before = residentMegabytes(client);
  const lines: [string, string][] = [
    ['arguments', callLine('arguments', keys(1_000_000))],
    ['params', `{"params":${keys(1_000_000)},"method":"tools/list","jsonrpc":"2.0","id":"params"}\n`],
    ['containers', callLine('containers', `{"list":[${'{},'.repeat(1_000_000)}1]}`)],
    ['levels', callLine('levels', `{"list":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}`)],
  ];
  for (const [id, line] of lines) {
    client.write(line);
    expect((await client.answerTo(id)).error, id).toMatchObject({
      code: -32600,
      message: expect.stringContaining('more than'),
    });
  }
  expect(residentMegabytes(client) - before).toBeLessThan(150);
});

test.each([
  ['a number beyond all numbers', '1e999', 'not_finite'],
  ['half a character', '"\\ud800"', 'invalid_unicode'],
  ['two halves in the wrong order', '"\\udc00\\ud800"', 'invalid_unicode'],
])('%s is refused as a value', async (_what, json, code) => {
  client.write(callLine('value', `{"value":${json}}`));
  expect((await client.answerTo('value')).result.structuredContent.error).toMatchObject({
    code: 'INVALID_FORMAT',
    context: { errors: [{ path: 'value', code }] },
  });
});

test('half a character is refused as a name, and harmless as that of a tool', async () => {
  client.write(callLine('name', '{"\\ud800":1}'));
  expect((await client.answerTo('name')).result.structuredContent.error.code).toBe('INVALID_FORMAT');
  client.send({ jsonrpc: '2.0', id: 'tool', method: 'tools/call', params: { name: '\ud800' } });
  expect((await client.answerTo('tool')).error?.code).toBe(-32602);
});

test.each([
  ['a lonely continuation byte', [0x80]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['half a character, encoded', [0xed, 0xa0, 0x80]],
  ['a character cut in two', [0xf0, 0x9f, 0x98]],
])('bytes that are not UTF-8 (%s) are -32700', async (_what, bytes) => {
  client.process.stdin.write(
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"x","method":"'), Buffer.from(bytes), Buffer.from('"}\n')]),
  );
  expect((await client.answerTo(null)).error?.code).toBe(-32700);
});

test('a character that comes in two pieces is read as one', async () => {
  const bytes = Buffer.from(callLine('pieces', '{"text":"😀"}'));
  const middle = bytes.indexOf(0xf0) + 2;
  client.process.stdin.write(bytes.subarray(0, middle));
  await new Promise((resolve) => setTimeout(resolve, 50));
  client.process.stdin.write(bytes.subarray(middle));
  expect((await client.answerTo('pieces')).result.structuredContent.data.echo).toEqual({ text: '😀' });
});

test('NUL is refused as a byte, and kept whole as a character or refused', async () => {
  client.write('\u0000\n{"jsonrpc":"2.0","id":1,\u0000"method":"ping"}\n');
  await client.data('memory_store', { key: 'nul', value: 'a\u0000b' });
  expect(await client.data('memory_retrieve', { key: 'nul' })).toMatchObject({ value: 'a\u0000b' });
  const { error } = await client.call('memory_store', { key: 'nul\u0000key', value: 1 });
  expect(error?.code).toBe('INVALID_FORMAT');
  expect(answersTo(client, null).map(({ error }) => error?.code)).toEqual([-32700, -32700]);
});

test('lines may end with CR LF, and empty lines say nothing', async () => {
  client.write('\n\r\n\n{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n\r\n\n');
  expect((await client.answerTo('crlf')).result).toEqual({});
  await client.request('ping');
  expect(client.messages.filter(({ error }) => error)).toEqual([]);
});

test('a byte order mark and blanks around a message do no harm', async () => {
  client.write('\ufeff {"jsonrpc":"2.0", "id":"marked" ,"method":"ping"} \t\n');
  expect((await client.answerTo('marked')).result).toEqual({});
});

test('half a line and then the end: no answer, no crash', async () => {
  const own = await started();
  own.write('{"jsonrpc":"2.0","id":"half","meth');
  expect(await own.end()).toBe(0);
  expect(answersTo(own, 'half')).toEqual([]);
  expect(own.stderr).toBe('');
});
