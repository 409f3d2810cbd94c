import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openEvents } from '../../../../../tests/support/http-requests.js';
import { served } from '../../../../../tests/support/served.js';
import { servedBy } from '../../../../../tests/support/served-http.js';
import { createSessions, type Session } from './sessions.js';

const MINUTE_MS = 60_000;
const LOCAL = { principal: 'local', isLocal: true };
const ADA = { principal: 'ada', isLocal: false };
const BOB = { principal: 'bob', isLocal: false };

/** Sessions of a real server, on a clock of the test's own. */
function setup() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server } = served();
  const clock = { now: 0 };
  const sessions = createSessions({ now: () => clock.now });
  const open = (caller = LOCAL): Session => sessions.open(caller, (way) => server.connect({ ...caller, ...way }));
  const openMany = (count: number, caller = LOCAL) => Array.from({ length: count }, () => open(caller));
  /** Time goes by, and sessions are looked through each minute. */
  const after = (ms: number) => {
    clock.now += ms;
    vi.advanceTimersByTime(ms);
  };
  return { sessions, open, openMany, after };
}

/** Attaches a client to one of the session's streams, over a socket. */
const attach = async (stream: Session['streams']['own']) =>
  openEvents(await servedBy((_request, response) => stream.attach(response)));

const tooMany = expect.objectContaining({
  status: 429,
  error: expect.objectContaining({ code: -32000, data: { code: 'RATE_LIMITED', retryAfterMs: 60_000 } }),
});

describe('a session', () => {
  test('is found by its id, by who opened it and by nobody else', () => {
    const { sessions, open } = setup();
    const session = open(ADA);
    expect(sessions.find(session.id, ADA)).toBe(session);
    for (const caller of [BOB, LOCAL]) {
      expect(() => sessions.find(session.id, caller)).toThrow(expect.objectContaining({ status: 404 }));
    }
    expect(() => sessions.find('unknown', ADA)).toThrow(expect.objectContaining({ status: 404 }));
    expect(() => sessions.find(undefined, ADA)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('that is closed is not found any more, and takes no more requests', async () => {
    const { sessions, open } = setup();
    const session = open();
    await sessions.close(session);
    expect(() => sessions.find(session.id, LOCAL)).toThrow(expect.objectContaining({ status: 404 }));
    const sent: string[] = [];
    await session.connection.accept({ jsonrpc: '2.0', id: 1, method: 'ping' }, 1, (message) => sent.push(message));
    expect(JSON.parse(sent[0] as string).error).toMatchObject({ code: -32000, data: { code: 'SERVICE_UNAVAILABLE' } });
  });

  test('ends when its client asks for that', async () => {
    const { sessions, open } = setup();
    const { connection } = open();
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await connection.accept({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, 1, () => {});
    await connection.accept({ jsonrpc: '2.0', id: 2, method: 'shutdown' }, 1, () => {});
    expect(sessions.size()).toBe(0);
  });

  test('sends what answers nothing in particular to its own stream', async () => {
    const { sessions } = setup();
    const { server } = served();
    let send: (message: string) => void = () => {};
    const { streams } = sessions.open(LOCAL, (way) => {
      send = way.send;
      return server.connect({ ...LOCAL, ...way });
    });
    send('{"jsonrpc":"2.0","method":"notifications/x"}');
    const client = await attach(streams.own);
    expect(await client.next(({ method }) => method === 'notifications/x')).toBeDefined();
  });
});

describe('idle', () => {
  test('for thirty minutes, a session ends', () => {
    const { sessions, open, after } = setup();
    open();
    after(30 * MINUTE_MS);
    expect(sessions.size()).toBe(1);
    after(MINUTE_MS);
    expect(sessions.size()).toBe(0);
  });

  test('is not who was asked for something in between', () => {
    const { sessions, open, after } = setup();
    const session = open();
    for (let round = 0; round < 3; round++) {
      after(29 * MINUTE_MS);
      expect(sessions.find(session.id, LOCAL)).toBe(session);
    }
  });

  test('is not whose stream is attached, until it is not any more', async () => {
    const { sessions, open, after } = setup();
    const { streams } = open();
    const client = await attach(streams.own);
    after(120 * MINUTE_MS);
    expect(sessions.size()).toBe(1);
    client.close();
    while (streams.own.isAttached()) await sleep(1);
    after(MINUTE_MS);
    expect(sessions.size()).toBe(0);
  });

  test('is not whose client waits on the stream of a request', async () => {
    const { sessions, open, after } = setup();
    await attach(open().streams.open());
    after(120 * MINUTE_MS);
    expect(sessions.size()).toBe(1);
  });
});

describe('at the maximum', () => {
  test('the 1,001st is refused while nobody has been idle for more than a minute', () => {
    const { sessions, open, openMany, after } = setup();
    openMany(1000);
    after(MINUTE_MS);
    expect(() => open()).toThrow(tooMany);
    expect(sessions.size()).toBe(1000);
  });

  test('the one that has been idle longest makes room', () => {
    const { sessions, open, openMany, after } = setup();
    const [first, second] = openMany(1000) as [Session, Session];
    after(MINUTE_MS);
    sessions.find(first.id, LOCAL);
    after(1);
    const next = open();
    expect(sessions.size()).toBe(1000);
    expect(sessions.find(next.id, LOCAL)).toBe(next);
    expect(sessions.find(first.id, LOCAL)).toBe(first);
    expect(() => sessions.find(second.id, LOCAL)).toThrow(expect.objectContaining({ status: 404 }));
  });

  test('whose stream is attached does not make room', async () => {
    const { sessions, open, openMany, after } = setup();
    const [first, second] = openMany(1000) as [Session, Session];
    await attach(first.streams.own);
    after(2 * MINUTE_MS);
    open();
    expect(sessions.find(first.id, LOCAL)).toBe(first);
    expect(() => sessions.find(second.id, LOCAL)).toThrow(expect.objectContaining({ status: 404 }));
  });

  test('of one principal, 500, it is one of their own that makes room, or they are refused', () => {
    const { sessions, open, openMany, after } = setup();
    const [older] = openMany(1, BOB) as [Session];
    after(1000);
    const [first] = openMany(500, ADA) as [Session];
    after(MINUTE_MS);
    expect(() => open(ADA)).toThrow(tooMany);
    expect(open(BOB).principal).toBe('bob');
    after(1);
    expect(open(ADA).principal).toBe('ada');
    expect(sessions.find(older.id, BOB)).toBe(older);
    expect(() => sessions.find(first.id, ADA)).toThrow(expect.objectContaining({ status: 404 }));
  });

  test('a place that was given up is free', async () => {
    const { sessions, open, openMany } = setup();
    const [first] = openMany(1000) as [Session];
    await sessions.close(first);
    expect(open().principal).toBe('local');
  });
});

test('the end of all of them ends their streams', async () => {
  const { sessions, openMany } = setup();
  const clients = await Promise.all(openMany(3).map(({ streams }) => attach(streams.own)));
  await sessions.closeAll();
  await Promise.all(clients.map(({ ended }) => ended));
  expect(sessions.size()).toBe(0);
});
