import { expect, onTestFinished, test } from 'vitest';
import { asked, emptyStores, readIn } from './testing.js';
import { traceResources } from './traces.js';

function traced() {
  const stores = emptyStores(onTestFinished);
  return { ...stores, source: traceResources(stores.traces) };
}

const MISSING = '019b0000-0000-7000-8000-000000000000';

test('the collection is the newest traces of the principal, without events', async () => {
  const { source, call } = traced();
  const first = await call();
  await call({ principal: 'bob' });
  const last = await call({ status: 'failure', errorCode: 'NOT_FOUND', errorMessage: 'There is none' });
  const read = await readIn(source, 'traces://recent');
  expect(read).toMatchObject({ traces: [{ traceId: last }, { traceId: first }], total: 2, hasMore: false });
  expect(read.traces[0]).toEqual({
    traceId: last,
    name: 'mcp.tool.memory_store',
    workflowId: 'mcp.tool.memory_store',
    toolName: 'memory_store',
    status: 'failure',
    startTime: '2026-01-01T12:00:00.000Z',
    endTime: '2026-01-01T12:00:00.005Z',
    durationMs: 5,
    eventCount: 5,
    correlationId: 'correlation',
    errorCode: 'NOT_FOUND',
  });
});

test.each(['traces://', 'traces://recent/'])('%s and an id is a trace with its events', async (base) => {
  const { source, call } = traced();
  const id = await call();
  const read = await readIn(source, `${base}${id}`);
  expect(read).toMatchObject({ traceId: id, status: 'success', eventCount: 4 });
  expect(read.events.map(({ type }: { type: string }) => type)).toEqual([
    'run.start',
    'tool.invoke',
    'tool.result',
    'run.end',
  ]);
});

test('a trace of somebody else, or none, is not found', async () => {
  const { source, call } = traced();
  const id = await call({ principal: 'bob' });
  for (const uri of [`traces://${id}`, `traces://recent/${id}`, `traces://${MISSING}`, 'traces://recent/..']) {
    expect(await source.read(uri, asked())).toBeUndefined();
    expect(await source.stamp(uri, 'user')).toBe('none');
  }
  expect(await readIn(source, `traces://${id}`, 'bob')).toMatchObject({ traceId: id });
  expect((await readIn(source, 'traces://recent')).total).toBe(0);
});

test('the stamp of the collection follows every trace of the principal, and nobody else', async () => {
  const { source, call, traces, clock } = traced();
  const stamps = [await source.stamp('traces://recent', 'user')];
  const isAnother = async (doing: () => Promise<unknown>) => {
    await doing();
    const stamp = await source.stamp('traces://recent', 'user');
    const isNew = stamps.at(-1) !== stamp;
    stamps.push(stamp);
    return isNew;
  };
  const running = traces.nextId();
  expect(await isAnother(() => call({ traceId: running, status: 'running', durationMs: undefined }))).toBe(true);
  expect(await isAnother(() => call())).toBe(true);
  expect(await isAnother(() => call({ traceId: running }))).toBe(true);
  expect(await isAnother(() => call({ principal: 'bob' }))).toBe(false);
  clock.now += 1000;
  expect(await isAnother(() => traces.prune({ olderThan: clock.now, maxBytes: 1e9 }))).toBe(true);
});

test('the stamp of a trace is another one when it begins and when it ends', async () => {
  const { source, call, traces } = traced();
  const traceId = traces.nextId();
  const stamp = () => source.stamp(`traces://${traceId}`, 'user');
  const stamps = [await stamp()];
  await call({ traceId, status: 'running', durationMs: undefined });
  stamps.push(await stamp());
  await call({ traceId, status: 'failure' });
  stamps.push(await stamp());
  expect(new Set(stamps).size).toBe(3);
});

test('ids are completed with those of the principal, newest first', async () => {
  const { source, call } = traced();
  const ids = [await call(), await call()];
  await call({ principal: 'bob' });
  for (const of of ['traces://{id}', 'traces://recent/{id}']) {
    const question = { of, argument: 'id', chosen: {}, principal: 'user' };
    expect(await source.complete?.({ ...question, typed: '' })).toEqual([...ids].reverse());
    expect(await source.complete?.({ ...question, typed: ids[0] ?? '' })).toEqual([ids[0]]);
  }
});
