import { expect, test } from 'vitest';
import {
  expectCalm,
  expectHeapNear,
  heapBytes,
  INSPECTABLE,
  metric,
  openDescriptors,
} from '../support/fuzz-aftermath.js';
import { sessionClient, sseClient, statelessClient } from '../support/fuzz-http-clients.js';
import { callTool, type FuzzClient } from '../support/fuzz-inbox.js';
import { type Participant, participant } from '../support/fuzz-participants.js';
import { SDK_CLIENTS } from '../support/fuzz-sdk-clients.js';
import { webSocketClient } from '../support/fuzz-websocket-client.js';
import { type RunningServer, startHttp } from '../support/http-server.js';
import { inTime } from '../support/raw-socket.js';

const OF_EACH_KIND = 16;
const CALLS = 20;
const HANDSHAKE_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const versionOf = (index: number) => HANDSHAKE_VERSIONS[index % HANDSHAKE_VERSIONS.length] as string;

const KINDS: Readonly<Record<string, (url: string, index: number) => Promise<FuzzClient>>> = {
  session: (url, index) => sessionClient(url, versionOf(index)),
  stateless: async (url) => statelessClient(url),
  sse: (url) => sseClient(url),
  websocket: (url, index) => webSocketClient(url, index % 4 === 0 ? '2026-07-28' : versionOf(index)),
};

/** 64 in all, two of each kind the official ones. */
function connectAll(url: string): Promise<Participant[]> {
  const all = Object.entries(KINDS).flatMap(([kind, connect]) => {
    const official = (SDK_CLIENTS[kind] ?? []).map((start) => start(url));
    const rest = Array.from({ length: OF_EACH_KIND - official.length }, async (_, index) =>
      participant(`${kind} ${index}`, await connect(url, index)),
    );
    return [...official, ...rest];
  });
  return Promise.all(all);
}

/** Calls that only this client makes, under numbers that all others use too. */
async function callAll(one: Participant, index: number): Promise<void> {
  const echo = async (number: number) => {
    const value = { client: index, number, text: `${index}-${number} `.repeat(50) };
    const call = { number, name: 'test_echo', arguments: value, wantsProgress: false };
    expect((await inTime(`${one.kind}, call ${number}`, one.call(call), 20_000)).data).toEqual({ echo: value });
  };
  const wait = async (number: number) => {
    const ms = 100 + index * CALLS + number;
    const wantsProgress = (index + number) % 3 === 0;
    const call = { number, name: 'test_wait', arguments: { ms }, wantsProgress };
    const { data, progress } = await inTime(`${one.kind}, call ${number}`, one.call(call), 20_000);
    expect(data).toEqual({ waited: ms });
    const due = wantsProgress ? [0, 1] : [];
    expect(progress, `progress of ${one.kind}`).toEqual(one.hearsAll ? due : due.slice(0, progress.length));
  };
  const numbers = Array.from({ length: CALLS }, (_, number) => number);
  const calls = numbers.map((number) => {
    if (number % 10 === 9) return one.giveUp(number);
    return number % 2 === 0 ? echo(number) : wait(number);
  });
  await Promise.all(calls);
  one.verify();
}

/** Every fourth is gone while it calls. Of the others every second says goodbye. */
const isLost = (index: number) => index % 4 === 3;

async function visit(server: RunningServer): Promise<void> {
  const all = await connectAll(server.url);
  expect(all.length).toBe(64);
  const [lost, staying] = [all.filter((_, index) => isLost(index)), all.filter((_, index) => !isLost(index))];
  for (const one of lost) for (let number = 0; number < 5; number++) one.hang(number);
  const calling = Promise.all(staying.map(callAll));
  setTimeout(() => lost.forEach((one) => void one.drop()), 200);
  await calling;
  await Promise.all(staying.map((one, index) => (index % 2 === 0 ? one.leave() : one.drop())));
}

/** Of 16 sessions four were lost, and six of the other twelve went without a word: they may come back. */
const LEFT_OPEN = 10;

/** What a lost session was about to answer is finished for whoever comes back, so this takes a while. */
async function expectEmpty(server: RunningServer, sessions: number): Promise<void> {
  await expect.poll(() => metric(server, 'automatosx_websockets'), { timeout: 5000 }).toBe(0);
  await expect.poll(() => metric(server, 'automatosx_sessions'), { timeout: 5000 }).toBe(sessions);
  await expect.poll(() => metric(server, 'automatosx_requests_in_flight'), { timeout: 30_000 }).toBe(0);
  await expectCalm(server);
}

test('64 clients that use the same ids and tokens at once get what is theirs, and leave nothing behind', {
  timeout: 120_000,
}, async () => {
  const server = await startHttp({ program: 'fixture', nodeArgs: [INSPECTABLE] });
  const first = statelessClient(server.url);
  await callTool(first, 1, { name: 'memory_list', arguments: {} });
  await first.leave();
  const descriptors = openDescriptors(server);
  await visit(server);
  await expectEmpty(server, LEFT_OPEN);
  const heap = await heapBytes(server);

  await visit(server);
  await expectEmpty(server, 2 * LEFT_OPEN);
  await expectHeapNear(server, heap);
  if (descriptors !== undefined) {
    // The debugger, and whoever asks for figures.
    await expect.poll(() => openDescriptors(server), { timeout: 5000 }).toBeLessThanOrEqual(descriptors + 4);
  }
});
