import type { Page } from '@automatosx/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CallRecord } from './call-record.js';
import type { TraceQuery, TraceStore } from './store.js';

/** An empty store, the time that it goes by, and the same data in a process that starts now. */
export interface TraceWorld {
  readonly store: TraceStore;
  readonly clock: { now: number };
  restart(): TraceStore;
}

const HOUR_MS = 3_600_000;
const page = { limit: 1000, offset: 0 };

/** What every adapter of the trace port keeps. */
export function traceStoreContract(create: () => TraceWorld): void {
  let world: TraceWorld;
  beforeEach(() => {
    world = create();
  });
  const recordOf = (rest: Partial<CallRecord> = {}): CallRecord => ({
    traceId: world.store.nextId(),
    toolName: 'memory_store',
    workflowId: 'mcp.tool.memory_store',
    status: 'success',
    startedAt: world.clock.now,
    durationMs: 5,
    principal: 'user',
    workspace: '/work',
    correlationId: 'correlation',
    input: '{"key":"k"}',
    output: '{"success":true}',
    steps: [],
    marks: {},
    ...rest,
  });
  const runningOf = (rest: Partial<CallRecord> = {}) =>
    recordOf({ status: 'running', durationMs: undefined, output: undefined, ...rest });
  const finish = (record: CallRecord, rest: Partial<CallRecord> = {}): CallRecord => ({
    ...record,
    status: 'success',
    durationMs: 9,
    output: '{"success":true}',
    ...rest,
  });
  const list = async (query: Partial<TraceQuery> = {}) => {
    const { items, total } = await world.store.list({ principal: 'user', page, ...query });
    expect(total).toBe(items.length);
    return items.map(({ traceId }) => traceId);
  };
  const prune = (olderThan: number, maxBytes: number) => world.store.prune({ olderThan, maxBytes });

  describe('ids', () => {
    const isGrowing = (ids: readonly string[]) => ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''));

    test('only grow, however many a millisecond has', () => {
      const ids = Array.from({ length: 10_000 }, () => world.store.nextId());
      expect(isGrowing(ids)).toBe(true);
      expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    });

    test('go on growing when the clock is set back an hour, and when it is right again', () => {
      const ids = [0, 0, -HOUR_MS, 1, 1, HOUR_MS, 1].map((jump) => {
        world.clock.now += jump;
        return world.store.nextId();
      });
      expect(isGrowing(ids)).toBe(true);
    });

    test('go on growing after a restart with the clock set back', async () => {
      const before = recordOf();
      await world.store.record(before);
      world.clock.now -= HOUR_MS;
      const restarted = world.restart();
      await restarted.endInterrupted(world.clock.now);
      expect(isGrowing([before.traceId, restarted.nextId(), restarted.nextId()])).toBe(true);
    });
  });

  describe('one trace', () => {
    test('is given back whole', async () => {
      const record = recordOf({
        status: 'failure',
        sessionId: 'session',
        errorCode: 'CONFLICT',
        toolCode: 'VERSION_CONFLICT',
        errorMessage: 'It moved "on"',
        input: '{"key":"ü\\u0000","__proto__":{"a":1},"n":1.5}',
        output: '{"success":false,"text":"👋"}',
        steps: [{ type: 'step.execute', at: 5, status: 'skipped', durationMs: 1, payload: { stepId: 'a' } }],
        marks: { replayed: true, truncated: true, warnings: ['near'] },
      });
      await world.store.record(record);
      expect(await world.store.get('user', record.traceId)).toEqual(record);
      const { items } = await world.store.list({ principal: 'user', page });
      const { input, output, steps, marks, errorMessage, ...head } = record;
      expect(items).toEqual([{ ...head, eventCount: 6, replayed: true }]);
    });

    test('is undefined for another principal, and if there is none', async () => {
      const record = recordOf();
      await world.store.record(record);
      expect(await world.store.get('bob', record.traceId)).toBeUndefined();
      expect(await world.store.get('user', 'missing')).toBeUndefined();
    });

    test('of a long call is running first and then replaced by its end', async () => {
      const running = runningOf({ toolName: 'workflow_run' });
      await world.store.begin(running);
      expect(await world.store.get('user', running.traceId)).toEqual({ ...running, output: undefined });
      expect([await list({ status: 'running' }), await list({ status: 'success' })]).toEqual([[running.traceId], []]);
      await world.store.record(finish(running));
      expect(await world.store.get('user', running.traceId)).toEqual(finish(running));
      expect([await list({ status: 'running' }), await list({ status: 'success' })]).toEqual([[], [running.traceId]]);
      expect(await list()).toEqual([running.traceId]);
    });

    test('begun and finished in one moment counts once', async () => {
      const running = runningOf();
      await Promise.all([world.store.begin(running), world.store.record(finish(running, { status: 'failure' }))]);
      expect(await list()).toEqual([running.traceId]);
      expect(await list({ status: 'failure' })).toEqual([running.traceId]);
    });
  });

  describe('list', () => {
    const kinds = {
      principal: ['user', 'bob', 'eve'],
      status: ['success', 'failure', 'running'],
      toolName: ['memory_store', 'trace_get'],
      workspace: ['/work', '/other'],
      sessionId: ['one', undefined],
    } as const;
    const every = <T>(values: readonly T[]): (T | undefined)[] => [undefined, ...values];
    const combinations = () =>
      kinds.principal.flatMap((principal) =>
        every(kinds.status).flatMap((status) =>
          every(kinds.toolName).flatMap((toolName) =>
            every(kinds.workspace).flatMap((workspace) =>
              [undefined, 'one', 'none'].map((sessionId) => ({ principal, status, toolName, workspace, sessionId })),
            ),
          ),
        ),
      );

    test('gives what every combination of filters asks for, newest first, and counts it', async () => {
      const all: CallRecord[] = [];
      for (let count = 0; count < 120; count++) {
        const pick = <T>(values: readonly T[], step: number) => values[Math.floor(count / step) % values.length] as T;
        const status = pick(kinds.status, 1);
        const rest = {
          principal: pick(kinds.principal, 3),
          toolName: pick(kinds.toolName, 2),
          workspace: pick(kinds.workspace, 5),
          sessionId: pick(kinds.sessionId, 7),
        };
        const record = status === 'running' ? runningOf(rest) : recordOf({ ...rest, status });
        all.push(record);
        await (status === 'running' ? world.store.begin(record) : world.store.record(record));
        world.clock.now += 1;
      }
      for (const query of combinations()) {
        const names = Object.entries(query).filter(([, value]) => value !== undefined) as [keyof CallRecord, string][];
        const expected = all.filter((record) => names.every(([name, value]) => record[name] === value));
        expect(await list(query), JSON.stringify(query)).toEqual(expected.map(({ traceId }) => traceId).reverse());
      }
    });

    test('a principal whose name is like a pattern sees only its own', async () => {
      await world.store.record(recordOf({ principal: 'a' }));
      expect(await list({ principal: '%' })).toEqual([]);
      expect(await list({ principal: "' OR 1=1 --" })).toEqual([]);
      expect(await list({ principal: 'A' })).toEqual([]);
    });

    test('pages give every trace once, newest first, also while others are added', async () => {
      const all = Array.from({ length: 10 }, () => recordOf());
      await Promise.all(all.map(world.store.record));
      const seen: string[] = [];
      let place: Page | undefined = { limit: 4, offset: 0 };
      while (place) {
        const { items, next } = await world.store.list({ principal: 'user', page: place });
        seen.push(...items.map(({ traceId }) => traceId));
        await world.store.record(recordOf());
        place = next === undefined ? undefined : { limit: 4, offset: 0, after: next };
      }
      expect(seen).toEqual(all.map(({ traceId }) => traceId).reverse());
    });
  });

  describe('ids that begin with a text', () => {
    test('are the newest of the principal, newest first', async () => {
      const users = Array.from({ length: 4 }, () => recordOf());
      const bobs = recordOf({ principal: 'bob' });
      await Promise.all([...users, bobs].map(world.store.record));
      const newest = users.map(({ traceId }) => traceId).reverse();
      const ids = (prefix: string, limit = 10, principal = 'user') => world.store.ids({ principal, prefix, limit });
      expect(await ids('')).toEqual(newest);
      expect(await ids('', 2)).toEqual(newest.slice(0, 2));
      expect(await ids(newest[0]?.slice(0, 9) ?? '')).toEqual(newest);
      expect(await ids(newest[2] ?? '')).toEqual([newest[2]]);
      expect(await ids('', 10, 'bob')).toEqual([bobs.traceId]);
      expect(await ids(bobs.traceId)).toEqual([]);
      expect([await ids('%'), await ids('\0'), await ids('zzz')]).toEqual([[], [], []]);
    });
  });

  describe('endInterrupted', () => {
    test('leaves the running calls of this process alone, whatever the clock says', async () => {
      const running = runningOf();
      await world.store.begin(running);
      for (const jump of [0, -HOUR_MS, 1000 * HOUR_MS]) {
        expect(await world.store.endInterrupted(world.clock.now + jump)).toBe(0);
      }
      expect(await list({ status: 'running' })).toEqual([running.traceId]);
    });
  });

  describe('prune', () => {
    const recordAll = async (count: number, rest: Partial<CallRecord> = {}) => {
      const all = Array.from({ length: count }, () => recordOf(rest));
      await Promise.all(all.map(world.store.record));
      return all.map(({ traceId }) => traceId);
    };

    test('removes what is too old and nothing else', async () => {
      await recordAll(3);
      world.clock.now += 1000;
      const young = await recordAll(2);
      expect(await prune(world.clock.now, 1e9)).toBe(false);
      expect(await list()).toEqual([...young].reverse());
      expect(await prune(world.clock.now, 1e9)).toBe(false);
      expect(await list()).toHaveLength(2);
    });

    test('removes the oldest of all principals until the rest is small enough', async () => {
      const input = JSON.stringify({ text: 'x'.repeat(9900) });
      const bobs = await recordAll(3, { input, principal: 'bob' });
      const users = await recordAll(7, { input });
      await prune(0, 55_000);
      expect(await list({ principal: 'bob' })).toEqual([]);
      expect(await list()).toEqual(users.slice(2).reverse());
      expect(bobs).toHaveLength(3);
    });

    test('counts bytes, not characters', async () => {
      const input = JSON.stringify({ text: '漢'.repeat(3300) });
      const all = await recordAll(10, { input });
      await prune(0, 55_000);
      expect(await list()).toEqual(all.slice(5).reverse());
    });

    test('running calls stay, however old they are', async () => {
      const running = runningOf();
      await world.store.begin(running);
      await recordAll(2);
      await prune(world.clock.now + HOUR_MS, 0);
      expect(await list()).toEqual([running.traceId]);
      await world.store.record(finish(running));
      await prune(world.clock.now + HOUR_MS, 0);
      expect(await list()).toEqual([]);
    });

    test('removes many a part at a time, the oldest first', async () => {
      const all = await recordAll(1203);
      let rounds = 1;
      while (await prune(world.clock.now + 1, 1e9)) {
        rounds += 1;
        const left = await list({ page: { limit: 5000, offset: 0 } });
        expect(left).toEqual(all.slice(all.length - left.length).reverse());
      }
      expect(rounds).toBeGreaterThan(2);
      expect(await list()).toEqual([]);
    });
  });
}
