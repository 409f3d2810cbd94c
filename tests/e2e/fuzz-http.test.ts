import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueFor } from '../support/expected-answers.js';
import { expectCalm, expectHeapNear, heapBytes, INSPECTABLE, metric } from '../support/fuzz-aftermath.js';
import { hostileBytes } from '../support/fuzz-http-bytes.js';
import { type SessionClient, sessionClient, statelessClient } from '../support/fuzz-http-clients.js';
import { initialize } from '../support/fuzz-inbox.js';
import { type Neighbour, startNeighbour } from '../support/fuzz-neighbour.js';
import { type RawResponse, responsesIn } from '../support/fuzz-responses.js';
import { hostileLine } from '../support/hostile-lines.js';
import { type RunningServer, startHttpServer } from '../support/http-server.js';
import type { Message } from '../support/message.js';
import { inTime, rawSocket } from '../support/raw-socket.js';

const SEED = 20_261_116;
let server: RunningServer;
let attacked: SessionClient;
let neighbours: readonly Neighbour[];

beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture', nodeArgs: [INSPECTABLE] });
  attacked = await sessionClient(server.url, '2025-03-26');
  neighbours = [
    startNeighbour('session', await sessionClient(server.url, '2025-11-25')),
    startNeighbour('stateless', statelessClient(server.url)),
  ];
});
afterAll(() => server.process.kill('SIGKILL'));

const checkNeighbours = () => {
  for (const neighbour of neighbours) neighbour.check();
};

/** A POST that is right in all but what it says. */
const posted = (body: Buffer, headers: Readonly<Record<string, string>>): Buffer => {
  const lines = Object.entries({ host: `127.0.0.1:${server.port}`, ...headers, 'content-length': body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  return Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${head}\r\n\r\n`), body]);
};

const idsIn = ({ body, headers }: RawResponse): unknown[] => {
  const isStream = headers.get('content-type') === 'text/event-stream';
  const texts = isStream ? [...body.matchAll(/^data: (.+)$/gm)].map(([, text]) => text as string) : [body];
  const messages = texts.filter((text) => text !== '').flatMap((text) => JSON.parse(text) as Message | Message[]);
  return messages.filter(({ method }) => method === undefined).map(({ id }) => id ?? null);
};

/** What is due for a body: an empty one is not a blank line, and a mark of byte order is not JSON here. */
const dueForBody = (body: Buffer): unknown[] => (body.length === 0 ? [null] : dueFor(body).map(({ id }) => id));

test('each POST of a session is answered in its turn, whatever it says and however the bytes are cut', {
  timeout: 60_000,
}, async () => {
  const round = fc.record({
    bodies: fc.array(hostileLine, { minLength: 5, maxLength: 25 }),
    cuts: fc.array(fc.nat(8000), { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(round, async ({ bodies, cuts }) => {
      const raw = await rawSocket(server.port);
      await raw.send(Buffer.concat(bodies.map((body) => posted(body, attacked.headers))), cuts);
      await expect.poll(() => responsesIn(raw.received()).length, { timeout: 5000, interval: 2 }).toBe(bodies.length);
      raw.socket.destroy();
      for (const [index, response] of responsesIn(raw.received()).entries()) {
        expect([200, 202, 400]).toContain(response.status);
        expect(idsIn(response)).toEqual(dueForBody(bodies[index] as Buffer));
      }
      checkNeighbours();
    }),
    { numRuns: 120, seed: SEED, endOnFailure: true },
  );
  await expectCalm(server);
});

const statusesIn = (bytes: Buffer): number[] =>
  [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

async function attack(bytes: Buffer, cuts: readonly number[], isRude: boolean): Promise<void> {
  const raw = await rawSocket(server.port);
  await raw.send(bytes, cuts);
  if (isRude) raw.socket.resetAndDestroy();
  else raw.socket.end();
  await inTime('The end of a broken connection', raw.closed);
  expect(statusesIn(raw.received()).filter((status) => status >= 500 && status !== 505)).toEqual([]);
}

test('bytes that are hardly HTTP get an answer or an end, and nobody else notices', { timeout: 60_000 }, async () => {
  const sessionsBefore = await metric(server, 'automatosx_sessions');
  const slow = await rawSocket(server.port);
  await slow.send(Buffer.from('POST /mcp HTTP/1.1\r\nHost: '));
  const round = fc.record({
    attacks: fc.array(fc.tuple(hostileBytes(server.port), fc.array(fc.nat(3000), { maxLength: 3 }), fc.boolean()), {
      minLength: 1,
      maxLength: 6,
    }),
  });
  const property = fc.asyncProperty(round, async ({ attacks }) => {
    await Promise.all(attacks.map(([bytes, cuts, isRude]) => attack(bytes, cuts, isRude)));
    checkNeighbours();
  });
  await fc.assert(property, { numRuns: 100, seed: SEED, endOnFailure: true });
  const before = await heapBytes(server);
  await fc.assert(property, { numRuns: 300, seed: SEED + 1, endOnFailure: true });

  await inTime('The end of a request that never came', slow.closed, 15_000);
  await expectCalm(server);
  await expectHeapNear(server, before);
  expect(await metric(server, 'automatosx_websockets')).toBe(0);
  // Nobody was given the id of a session, so nobody can come back to one.
  expect(await metric(server, 'automatosx_sessions')).toBe(sessionsBefore);
});

const OPENING = Buffer.from(JSON.stringify(initialize('2025-11-25')));

async function answerTo(bytes: Buffer): Promise<RawResponse> {
  const raw = await rawSocket(server.port);
  await raw.send(bytes);
  await expect.poll(() => responsesIn(raw.received()).length, { timeout: 5000, interval: 2 }).toBe(1);
  raw.socket.destroy();
  return responsesIn(raw.received())[0] as RawResponse;
}

test('an opening that is refused leaves no session behind', async () => {
  const before = await metric(server, 'automatosx_sessions');
  const headers = { 'content-type': 'application/json', accept: 'text/plain' };
  expect(await answerTo(posted(OPENING, headers))).toMatchObject({ status: 406 });
  expect(await metric(server, 'automatosx_sessions')).toBe(before);
});

test('a request that offers to go on in HTTP/2 is answered as it is', async () => {
  const headers = {
    'content-type': 'application/json',
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  const { status, body } = await answerTo(posted(OPENING, headers));
  expect({ status, body }).toMatchObject({
    status: 200,
    body: expect.stringContaining('"protocolVersion":"2025-11-25"'),
  });
});

test('all the time the neighbours got their own answers, and no others', async () => {
  for (const neighbour of neighbours) expect(await neighbour.stop()).toBeGreaterThan(100);
});
