import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EventStream,
  envelopeOf,
  nextId,
  type OpenSession,
  openEvents,
  openSession,
  post,
  postForEvents,
  rpc,
  until,
} from '../../support/http-requests.js';
import { type RunningServer, startHttpServer } from '../../support/http-server.js';

let server: RunningServer;
let url: string;
beforeAll(async () => {
  server = await startHttpServer({ program: 'fixture' });
  url = server.url;
});
afterAll(() => server.stop());

const waiting = (ms: number) => ({
  jsonrpc: '2.0',
  id: nextId(),
  method: 'tools/call',
  params: { name: 'test_wait', arguments: { ms }, _meta: { progressToken: 'p' } },
});

const comeBack = (session: OpenSession, lastEventId: string | undefined) =>
  openEvents(`${url}/mcp`, { headers: { ...session.headers, 'last-event-id': String(lastEventId) } });

/** A call whose first progress has come. */
async function underWay(session: OpenSession, ms: number) {
  const message = waiting(ms);
  const stream = await postForEvents(url, message, session.headers);
  await stream.next(({ method }) => method === 'notifications/progress');
  return { message, stream, lastEventId: stream.events.at(-1)?.id };
}

const traceOf = async (session: OpenSession, sessionCalls: number) => {
  const { data } = envelopeOf(
    await rpc(url, session, 'tools/call', { name: 'trace_list', arguments: { toolName: 'test_wait', limit: 50 } }),
  );
  return data.total >= sessionCalls ? data.traces : undefined;
};

const progressOf = ({ messages }: EventStream) => messages.flatMap(({ params }) => params?.progress ?? []);

test('a stream that broke does not stop the work; coming back brings the rest, and the answer once', async () => {
  const session = await openSession(url);
  const { message, stream, lastEventId } = await underWay(session, 400);
  // 2025-11-25: the stream begins with a place to come back to.
  expect(stream.events[0]).toMatchObject({ id: expect.any(String), data: '' });
  stream.close();
  const rest = await comeBack(session, lastEventId);
  await rest.ended;
  expect(progressOf(rest)).toEqual([1]);
  expect(rest.messages.filter(({ id }) => id === message.id)).toHaveLength(1);
  expect(rest.messages.at(-1)?.result.structuredContent).toMatchObject({ success: true, data: { waited: 400 } });
});

test('who comes back after the end still finds the answer, from any place', async () => {
  const session = await openSession(url);
  const { stream, lastEventId } = await underWay(session, 50);
  stream.close();
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const [place, steps] of [
    [stream.events[0]?.id, [0, 1]],
    [lastEventId, [1]],
  ] as const) {
    const rest = await comeBack(session, place);
    await rest.ended;
    expect(progressOf(rest)).toEqual(steps);
    expect(rest.messages.filter(({ result }) => result)).toHaveLength(1);
  }
});

test('ids of events are never the same in two streams of a session', async () => {
  const session = await openSession(url);
  const answers = await Promise.all([1, 2, 3].map(() => postForEvents(url, waiting(20), session.headers)));
  await Promise.all(answers.map(({ ended }) => ended));
  const ids = answers.flatMap(({ events }) => events.map(({ id }) => id));
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a place that is unknown, malformed or of another session brings nothing', async () => {
  const [session, other] = [await openSession(url), await openSession(url)];
  const { stream, lastEventId } = await underWay(session, 50);
  await stream.ended;
  for (const place of [lastEventId, 'nowhere.1', '__proto__.0', 'own', '', '../own.1', 'own.99999999999999999999']) {
    const answer = await comeBack(other, place);
    answer.close();
    expect([place, answer.status]).toEqual([
      place,
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
    ]);
  }
  expect((await rpc(url, other, 'ping')).status).toBe(200);
});

test('cancelling ends the stream without an answer, and the work', async () => {
  const session = await openSession(url);
  const { message, stream } = await underWay(session, 20_000);
  const params = { requestId: message.id };
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  expect((await post(url, cancelled, session.headers)).status).toBe(202);
  await stream.ended;
  expect(stream.messages.filter(({ id }) => id === message.id)).toEqual([]);
  let traces: { toolCode?: string }[] | undefined;
  await until(async () => {
    traces = await traceOf(session, 1);
    return traces?.some(({ toolCode }) => toolCode === 'CANCELLED') ?? false;
  });
});

test('DELETE stops the work of a stream that broke', async () => {
  const session = await openSession(url);
  const { stream } = await underWay(session, 25_000);
  stream.close();
  const inFlight = async () =>
    Number(/^automatosx_requests_in_flight (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const before = await inFlight();
  await fetch(`${url}/mcp`, { method: 'DELETE', headers: session.headers });
  await until(async () => (await inFlight()) === before - 1);
});

test('a hundred broken streams of one session can all be taken up again while their calls run', async () => {
  const session = await openSession(url);
  const started = await Promise.all(Array.from({ length: 100 }, () => underWay(session, 2500)));
  for (const { stream } of started) stream.close();
  const statuses = await Promise.all(
    started.map(async ({ lastEventId, message }) => {
      const rest = await comeBack(session, lastEventId);
      await rest.ended;
      return rest.messages.some(({ id }) => id === message.id) ? 'answered' : rest.status;
    }),
  );
  expect(statuses.filter((status) => status !== 'answered')).toEqual([]);
});
