import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Due, dueFor, labelOf } from '../support/expected-answers.js';
import { expectCalm, expectHeapNear, heapBytes, INSPECTABLE, metric } from '../support/fuzz-aftermath.js';
import { badFrames, fragmented, framesIn, OPCODE } from '../support/fuzz-frames.js';
import { initialize } from '../support/fuzz-inbox.js';
import { type Neighbour, startNeighbour } from '../support/fuzz-neighbour.js';
import { afterUpgrade, badUpgrade, upgraded, upgradeRequest } from '../support/fuzz-upgrade.js';
import { webSocketClient } from '../support/fuzz-websocket-client.js';
import { hostileLine } from '../support/hostile-lines.js';
import { type RunningServer, startHttpServer } from '../support/http-server.js';
import type { Message } from '../support/message.js';
import { inTime, type RawSocket, rawSocket } from '../support/raw-socket.js';

const SEED = 20_261_117;
let server: RunningServer;
let neighbour: Neighbour;

beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture', nodeArgs: [INSPECTABLE] });
  neighbour = startNeighbour('websocket', await webSocketClient(server.url, '2025-11-25'));
});
afterAll(() => server.process.kill('SIGKILL'));

const pieces = {
  cuts: fc.array(fc.nat(3000), { maxLength: 3 }),
  pings: fc.array(fc.uint8Array({ maxLength: 125 }), { maxLength: 3 }),
};
const tcpCuts = fc.array(fc.nat(6000), { maxLength: 4 });

const answersOn = (raw: RawSocket): Message[] =>
  framesIn(afterUpgrade(raw))
    .filter(({ opcode }) => opcode === OPCODE.text)
    .flatMap(({ payload }) => JSON.parse(payload.toString()) as Message | Message[])
    .filter(({ method }) => method === undefined);

const labelsOn = (raw: RawSocket) =>
  answersOn(raw).map(({ id, error }) => labelOf({ id: id ?? null, code: error?.code }));

/** An empty frame is a message that cannot be read, not a blank line. */
const dueForFrame = (text: Buffer): readonly Due[] => (text.length === 0 ? [{ id: null, code: -32700 }] : dueFor(text));

/** A message that is sure to be answered after whatever came before it has been taken in. */
const OPENING = Buffer.from(JSON.stringify(initialize('2025-03-26')));

test('each text is answered as the protocol says, however it is cut into frames and bytes', {
  timeout: 60_000,
}, async () => {
  const sent = hostileLine.filter((line) => isUtf8(line) && !line.toString().startsWith('\ufeff'));
  const round = fc.record({
    texts: fc.array(fc.tuple(sent, fc.record(pieces)), { minLength: 5, maxLength: 25 }),
    tcpCuts,
  });
  await fc.assert(
    fc.asyncProperty(round, async ({ texts, tcpCuts }) => {
      const raw = await upgraded(server.port);
      await raw.send(fragmented(OPENING, { cuts: [], pings: [] }));
      await raw.send(Buffer.concat(texts.map(([text, way]) => fragmented(text, way))), tcpCuts);
      const due = [{ id: 'opening' }, ...texts.flatMap(([text]) => dueForFrame(text))].map(labelOf);
      await expect.poll(() => answersOn(raw).length, { timeout: 5000, interval: 2 }).toBeGreaterThanOrEqual(due.length);
      expect(labelsOn(raw).sort()).toEqual(due.sort());
      const pongs = () => framesIn(afterUpgrade(raw)).filter(({ opcode }) => opcode === OPCODE.pong);
      const pings = texts.flatMap(([, way]) => way.pings.map((payload) => Buffer.from(payload).toString('hex')));
      await expect.poll(() => pongs().map(({ payload }) => payload.toString('hex')), { timeout: 5000 }).toEqual(pings);
      raw.socket.destroy();
      neighbour.check();
    }),
    { numRuns: 120, seed: SEED, endOnFailure: true },
  );
  await expectCalm(server);
});

const closeCodeOn = (raw: RawSocket): number | undefined =>
  framesIn(afterUpgrade(raw))
    .find(({ opcode }) => opcode === OPCODE.close)
    ?.payload.readUInt16BE();

const attack = fc.record({
  before: fc.array(hostileLine.filter(isUtf8), { maxLength: 3 }),
  bad: badFrames,
  tcpCuts,
  end: fc.constantFrom('wait', 'cut', 'reset'),
  cutAt: fc.nat(200),
});

test('frames that break the rules end their own connection, with the code that says why', {
  timeout: 60_000,
}, async () => {
  const property = fc.asyncProperty(attack, async ({ before, bad, tcpCuts, end, cutAt }) => {
    const raw = await upgraded(server.port);
    const whole = Buffer.concat([...before.map((text) => fragmented(text, { cuts: [], pings: [] })), bad.bytes]);
    await raw.send(end === 'wait' ? whole : whole.subarray(0, cutAt % whole.length), tcpCuts);
    if (end === 'reset') raw.socket.resetAndDestroy();
    if (end === 'wait') {
      await expect.poll(() => closeCodeOn(raw), { timeout: 5000, interval: 2 }).toBeDefined();
      expect(bad.codes).toContain(closeCodeOn(raw));
    }
    raw.socket.end();
    await inTime('The end of a broken WebSocket', raw.closed);
    neighbour.check();
  });
  await fc.assert(property, { numRuns: 150, seed: SEED, endOnFailure: true });
  const heapBefore = await heapBytes(server);
  await fc.assert(property, { numRuns: 350, seed: SEED + 1, endOnFailure: true });
  await expectCalm(server);
  await expectHeapNear(server, heapBefore);
  await expect.poll(() => metric(server, 'automatosx_websockets'), { timeout: 5000 }).toBe(1);
});

test('a client that does not say goodbye after it broke the rules is cut off', async () => {
  const raw = await upgraded(server.port);
  await raw.send(Buffer.from([0xff, 0xff, 0xff, 0xff]));
  await inTime('The end of a WebSocket whose client is silent', raw.closed);
  expect(closeCodeOn(raw)).toBe(1002);
});

test('an upgrade that is wrong is refused with a reason, wherever its bytes are cut', async () => {
  const round = fc.tuple(badUpgrade, fc.array(fc.nat(300), { maxLength: 3 }), fc.boolean());
  const property = fc.asyncProperty(round, async ([changes, cuts, isCutOff]) => {
    const raw = await rawSocket(server.port);
    const bytes = upgradeRequest(server.port, changes);
    await raw.send(isCutOff ? bytes.subarray(0, (cuts[0] ?? 50) % bytes.length) : bytes, cuts);
    if (isCutOff) raw.socket.end();
    await inTime('The end of a refused upgrade', raw.closed);
    if (!isCutOff) expect(raw.received().toString('latin1')).toMatch(/^HTTP\/1\.1 4\d\d /);
    neighbour.check();
  });
  await fc.assert(property, { numRuns: 100, seed: SEED, endOnFailure: true });
  await expectCalm(server);
  expect(await neighbour.stop()).toBeGreaterThan(100);
});
