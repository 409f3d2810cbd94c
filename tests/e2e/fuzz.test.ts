import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueFor, labelOf } from '../support/expected-answers.js';
import { hostileLine } from '../support/hostile-lines.js';
import type { Message } from '../support/message.js';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ version: '2025-03-26', program: 'fixture' });
});
afterAll(() => client.kill());

const ends = fc.constantFrom('\n', '\r\n', '\n\n');
const round = fc.record({
  lines: fc.array(fc.tuple(hostileLine, ends), { minLength: 5, maxLength: 30 }),
  /** Where the bytes are cut into writes. */
  cuts: fc.array(fc.nat(3000), { maxLength: 4 }),
});

async function send(bytes: Buffer, cuts: readonly number[]): Promise<void> {
  let start = 0;
  for (const end of [...[...cuts].sort((one, other) => one - other), bytes.length]) {
    client.process.stdin.write(bytes.subarray(start, end));
    start = Math.min(end, bytes.length);
    await new Promise(setImmediate);
  }
}

const isAnswer = ({ method }: Message) => method === undefined;
const answers = () => client.messages.filter(isAnswer);
let rounds = 0;

test('whatever is sent, each line is answered as the protocol says, once, and nothing crashes or crosses', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(round, async ({ lines, cuts }) => {
      client.messages.length = 0;
      const sent = lines.map(([line, end]) => Buffer.concat([line, Buffer.from(end)]));
      const due = sent.flatMap(dueFor).map(labelOf);
      await send(Buffer.concat(sent), cuts);
      await expect.poll(() => answers().length, { timeout: 5000, interval: 2 }).toBeGreaterThanOrEqual(due.length);

      // Nothing else was on its way, and the next request gets the answer that is its own.
      const value = `round ${++rounds}`;
      const stored = await client.data('memory_store', { key: value, value }, {});
      expect(stored).toMatchObject({ key: value, version: 1 });
      expect(await client.data('memory_retrieve', { key: value })).toMatchObject({ value });

      const said = answers().slice(0, -2);
      expect(said.map(({ id, error }) => labelOf({ id: id ?? null, code: error?.code })).sort()).toEqual(due.sort());
      for (const { error } of said) {
        if (error) expect([-32700, -32600, -32601, -32602, -32002, -32022]).toContain(error.code);
      }
    }),
    { numRuns: 300, seed: 20_261_115, endOnFailure: true },
  );
  expect(client.process.exitCode).toBeNull();
  expect(client.stderr).toBe('');
  expect(await client.end()).toBe(0);
});
