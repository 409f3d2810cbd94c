import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueFor, labelOf } from '../support/expected-answers.js';
import { expectCalm, expectHeapNear, heapBytes, INSPECTABLE, metric } from '../support/fuzz-aftermath.js';
import { type SseClient, sseClient } from '../support/fuzz-http-clients.js';
import { ask } from '../support/fuzz-inbox.js';
import { type Neighbour, startNeighbour } from '../support/fuzz-neighbour.js';
import { createRequests } from '../support/fuzz-requests.js';
import { hostileLine } from '../support/hostile-lines.js';
import { type RunningServer, startHttpServer } from '../support/http-server.js';
import { inTime, rawSocket } from '../support/raw-socket.js';

const SEED = 20_261_118;
const JSON_TYPE = { 'content-type': 'application/json' };
let server: RunningServer;
let neighbour: Neighbour;

beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture', nodeArgs: [INSPECTABLE] });
  neighbour = startNeighbour('sse', await sseClient(server.url));
});
afterAll(() => server.process.kill('SIGKILL'));

/** The rest of what was sent cannot be read, and is refused where it was posted. */
function isJson(body: Buffer): boolean {
  try {
    return isUtf8(body) && JSON.parse(body.toString()) !== undefined;
  } catch {
    return false;
  }
}

const labelsOf = ({ inbox }: SseClient): string[] =>
  inbox.received
    .filter(({ method, id }) => method === undefined && id !== 'opening')
    .map(({ id, error }) => labelOf({ id: id ?? null, code: error?.code }));

test('what is posted is answered on the stream of the client that posted it, and on no other', {
  timeout: 60_000,
}, async () => {
  const requests = createRequests(server.url);
  // A mark of byte order is cut off where bytes become text.
  const body = hostileLine.filter((line) => line[0] !== 0xef);
  const round = fc.array(fc.array(body, { maxLength: 12 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(round, async (bodies) => {
      const clients = await Promise.all(bodies.map(() => sseClient(server.url, '2025-03-26')));
      const post = async ({ path }: SseClient, line: Buffer) => {
        const answer = await requests.start({ method: 'POST', path, headers: JSON_TYPE, body: line });
        expect(answer.statusCode).toBe(isJson(line) ? 202 : 400);
      };
      await Promise.all(clients.flatMap((client, index) => bodies[index]?.map((line) => post(client, line)) ?? []));
      for (const [index, client] of clients.entries()) {
        const due = (bodies[index] ?? []).filter(isJson).flatMap(dueFor).map(labelOf);
        await expect.poll(() => labelsOf(client).length, { timeout: 5000, interval: 2 }).toBe(due.length);
        expect(labelsOf(client).sort()).toEqual(due.sort());
        client.drop();
      }
      neighbour.check();
    }),
    { numRuns: 120, seed: SEED, endOnFailure: true },
  );
  requests.breakOff();
  await expectCalm(server);
  await expect.poll(() => metric(server, 'automatosx_sessions'), { timeout: 5000 }).toBe(1);
});

const strangerPath = fc.oneof(
  fc.constantFrom('/messages', '/messages?', '/messages?sessionId=', '/messages?sessionId=%00', '/sse?sessionId=x'),
  fc.uuid().map((id) => `/messages?sessionId=${id}`),
  fc.webQueryParameters().map((query) => `/messages?${query}`),
);

test('nothing can be posted to a stream that is not there, or not any more', async () => {
  const requests = createRequests(server.url);
  const gone = await sseClient(server.url);
  gone.drop();
  await expect.poll(() => metric(server, 'automatosx_sessions'), { timeout: 5000 }).toBe(1);
  await fc.assert(
    fc.asyncProperty(fc.oneof(strangerPath, fc.constant(gone.path)), hostileLine, async (path, body) => {
      const { statusCode } = await requests.start({ method: 'POST', path, headers: JSON_TYPE, body });
      expect([400, 404, 405]).toContain(statusCode);
      neighbour.check();
    }),
    { numRuns: 300, seed: SEED, endOnFailure: true },
  );
  requests.breakOff();
  await expectCalm(server);
});

const streamRequest = () =>
  Buffer.from(`GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept: text/event-stream\r\n\r\n`);

test('streams that are broken off at any moment, with calls under way, leave nothing behind', {
  timeout: 60_000,
}, async () => {
  const round = fc.record({
    cutAt: fc.nat(120),
    isRude: fc.boolean(),
    waits: fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 5 }),
    afterMs: fc.nat(15),
  });
  const property = fc.asyncProperty(round, async ({ cutAt, isRude, waits, afterMs }) => {
    const raw = await rawSocket(server.port);
    await raw.send(streamRequest().subarray(0, cutAt));
    const client = await sseClient(server.url);
    for (const [id, ms] of waits.entries()) {
      const call = { name: 'test_wait', arguments: { ms }, _meta: { progressToken: id } };
      void ask(client, id, { method: 'tools/call', params: call });
    }
    await sleep(afterMs);
    client.drop();
    if (isRude) raw.socket.resetAndDestroy();
    else raw.socket.end();
    await inTime('The end of a stream', raw.closed);
    neighbour.check();
  });
  await fc.assert(property, { numRuns: 50, seed: SEED, endOnFailure: true });
  const before = await heapBytes(server);
  await fc.assert(property, { numRuns: 200, seed: SEED + 1, endOnFailure: true });
  await expectCalm(server);
  await expect.poll(() => metric(server, 'automatosx_sessions'), { timeout: 5000 }).toBe(1);
  await expectHeapNear(server, before);
  expect(await neighbour.stop()).toBeGreaterThan(100);
});
