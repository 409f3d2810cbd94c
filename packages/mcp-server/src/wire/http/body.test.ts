import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { fetched } from '../../../../../tests/support/http-requests.js';
import { rawSocket } from '../../../../../tests/support/raw-socket.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import { type Posted, readPosted } from './body.js';
import type { Refusal } from './refusal.js';

const MAX_BYTES = 100;

/** Reads what is posted to it, and remembers what came of that. */
async function reading(maxBytes = MAX_BYTES) {
  const outcomes: (Posted | Refusal)[] = [];
  const url = await servedBy((request, response) => {
    readPosted(request, maxBytes)
      .catch((error: Refusal) => error)
      .then((outcome) => {
        outcomes.push(outcome);
        response.end();
      });
  });
  const post = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    await fetched(url, sent);
    return outcomes.at(-1);
  };
  return { url, outcomes, post };
}

const refusal = (status: number, code: number) => ({ status, error: { code } });

describe('a body', () => {
  test('is read as JSON, with its size', async () => {
    const { post } = await reading();
    expect(await post('{"a":"ä"}')).toEqual({ message: { a: 'ä' }, sizeBytes: 10 });
    expect(await post('[1]')).toEqual({ message: [1], sizeBytes: 3 });
  });

  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json ;a=b'])(
    'may be called %s',
    async (type) => {
      const { post } = await reading();
      expect(await post('1', { 'content-type': type })).toEqual({ message: 1, sizeBytes: 1 });
    },
  );

  test.each(['', 'text/plain', 'application/jsonx', 'application/json-rpc', 'text/application/json'])(
    'that is called %j is refused',
    async (type) => {
      const { post } = await reading();
      expect(await post('1', { 'content-type': type })).toMatchObject(refusal(415, -32600));
    },
  );

  test('that is encoded is refused, unless by nothing', async () => {
    const { post } = await reading();
    expect(await post('1', { 'content-encoding': 'gzip' })).toMatchObject(refusal(415, -32600));
    expect(await post('1', { 'content-encoding': 'identity' })).toMatchObject({ message: 1 });
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"a":'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('that is %s is refused', async (_what, body) => {
    const { post } = await reading();
    expect(await post(body)).toMatchObject(refusal(400, -32700));
  });

  test('with more inside than anybody needs is refused before it is parsed, and the refusal has its id', async () => {
    const { post } = await reading(10_000_000);
    const outcome = await post(`{"jsonrpc":"2.0","id":7,"method":"x","params":${'['.repeat(2_000_000)}`);
    expect(outcome).toMatchObject({ ...refusal(400, -32600), options: { id: 7 } });
  });
});

describe('the size', () => {
  test('may be as large as allowed, and not a byte larger', async () => {
    const { post } = await reading();
    expect(await post(`"${'x'.repeat(98)}"`)).toMatchObject({ sizeBytes: 100 });
    expect(await post(`"${'x'.repeat(99)}"`)).toMatchObject(refusal(413, -32600));
  });

  test('is counted in bytes', async () => {
    const { post } = await reading();
    expect(await post(`"${'ä'.repeat(50)}"`)).toMatchObject(refusal(413, -32600));
  });

  test('that is announced is judged before anything is read', async () => {
    const { url, outcomes } = await reading();
    const { send } = await rawSocket(Number(new URL(url).port));
    await send(
      Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 101\r\n\r\n'),
    );
    await vi.waitFor(() => expect(outcomes).toMatchObject([refusal(413, -32600)]));
  });

  test('that is not announced is judged while it is read', async () => {
    const { post } = await reading();
    const outcome = await post(`"${'x'.repeat(200)}"`, { 'transfer-encoding': 'chunked' });
    expect(outcome).toMatchObject({ ...refusal(413, -32600), options: { headers: { connection: 'close' } } });
  });

  test('is not lost where it comes in pieces', async () => {
    const { url, outcomes } = await reading();
    const { send } = await rawSocket(Number(new URL(url).port));
    await send(
      Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n"x'),
    );
    await sleep(20);
    await send(Buffer.from('yz"'));
    await vi.waitFor(() => expect(outcomes).toEqual([{ message: 'xyz', sizeBytes: 5 }]));
  });
});

test('a request that breaks off is over', async () => {
  const { url, outcomes } = await reading();
  const { send, socket } = await rawSocket(Number(new URL(url).port));
  await send(
    Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a'),
  );
  await sleep(20);
  socket.destroy();
  await vi.waitFor(() => expect(outcomes).toMatchObject([refusal(400, -32600)]));
});
