import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { served } from '../../../../tests/support/served.js';

test('a line is answered with a line', async () => {
  const { request, open } = served();
  expect((await open()).result.serverInfo).toMatchObject({ name: 'automatosx-mcp', version: '1.2.3' });
  expect(await request('ping', undefined, 7)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
});

test('what is too large or not UTF-8 is answered without being read', async () => {
  const { input, messages, until } = served();
  input.write(Buffer.concat([Buffer.alloc(10_485_761, '['), Buffer.from('\n')]));
  input.write(Buffer.from([0xff, 0x0a]));
  await until(() => messages.length === 2);
  expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32600],
    [null, -32700],
  ]);
});

test('the end of input closes it after all is answered', async () => {
  const { input, request, open, closed } = served();
  await open();
  const call = request('tools/call', { name: 'memory_store', arguments: { key: 'a', value: 1 } });
  input.end();
  await closed;
  expect((await call).result.structuredContent.success).toBe(true);
});

test('a request for the end closes it after the answer', async () => {
  const { request, open, closed } = served();
  await open();
  const end = request('shutdown');
  await closed;
  expect((await end).result).toEqual({});
});

test.each(['input', 'output'] as const)('a broken %s closes it', async (name) => {
  const streams = served();
  streams[name].emit('error', new Error('EPIPE'));
  await streams.closed;
});

test('close ends it from our side', async () => {
  const { close, closed } = served();
  close();
  await closed;
});

test('input is not read while the client does not read the output', async () => {
  const { input, output, open, request } = served();
  await open();
  const pause = vi.spyOn(input, 'pause');
  const resume = vi.spyOn(input, 'resume');
  output.pause();
  for (let index = 0; index < 300; index++) void request('tools/list');
  await vi.waitUntil(() => pause.mock.calls.length > 0, { timeout: 10_000 });
  expect(resume).not.toHaveBeenCalled();
  output.resume();
  await vi.waitUntil(() => resume.mock.calls.length > 0, { timeout: 10_000 });
  expect((await request('ping')).result).toEqual({});
  expect(output).toBeInstanceOf(PassThrough);
});
