import { expect, test } from 'vitest';
import { answersTo, linesOf, started } from '../support/started.js';

const call = (id: string | number, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

test('an id that is under way cannot be used again, and its first request is still answered', async () => {
  const client = await started({ program: 'fixture' });
  client.write(linesOf(call('same', 'test_wait', { ms: 200 }), call('same', 'test_echo', { second: true })));
  await expect.poll(() => answersTo(client, 'same'), { timeout: 10_000 }).toHaveLength(2);
  const [refused, answered] = answersTo(client, 'same');
  expect(refused?.error).toMatchObject({ code: -32600, message: expect.stringContaining('id') });
  expect(answered?.result.structuredContent.data).toEqual({ waited: 200 });
});

test('an id may be used again once it is answered', async () => {
  const client = await started({ program: 'fixture' });
  for (const round of [1, 2, 3]) {
    client.send(call('again', 'test_echo', { round }));
    await expect.poll(() => answersTo(client, 'again'), { timeout: 10_000 }).toHaveLength(round);
  }
  const rounds = answersTo(client, 'again').map(({ result }) => result.structuredContent.data.echo.round);
  expect(rounds).toEqual([1, 2, 3]);
});

test('77 and "77" are under way at the same time, and each gets its own answer', async () => {
  const client = await started({ program: 'fixture' });
  client.write(linesOf(call(77, 'test_wait', { ms: 101 }), call('77', 'test_wait', { ms: 100 })));
  const [number, text] = await Promise.all([client.answerTo(77), client.answerTo('77')]);
  expect(number.result.structuredContent.data).toEqual({ waited: 101 });
  expect(text.result.structuredContent.data).toEqual({ waited: 100 });
});

test('beyond 256 requests at once the rest are told when to come again, and then they may', async () => {
  const client = await started({ program: 'fixture' });
  const ids = Array.from({ length: 300 }, (_, index) => `many-${index}`);
  client.write(linesOf(...ids.map((id) => call(id, 'test_wait', { ms: 300 }))));
  const answers = await Promise.all(ids.map((id) => client.answerTo(id)));
  expect(answers.slice(0, 256).every(({ result }) => result?.structuredContent.success === true)).toBe(true);
  for (const { error } of answers.slice(256)) {
    expect(error).toMatchObject({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } });
    expect(error?.data?.retryAfterMs).toBeGreaterThan(0);
  }
  expect(await client.data('test_echo', { after: true })).toEqual({ echo: { after: true } });
});

test('answers of calls that run side by side do not cross', async () => {
  const client = await started({ program: 'fixture' });
  const inputs = Array.from({ length: 200 }, (_, index) => ({ index, ms: (index * 37) % 50 }));
  const answers = await Promise.all(
    inputs.map(({ index, ms }) =>
      index % 2 ? client.data('test_wait', { ms }) : client.data('test_echo', { index, ms }),
    ),
  );
  for (const { index, ms } of inputs) {
    expect(answers[index]).toEqual(index % 2 ? { waited: ms } : { echo: { index, ms } });
  }
});
