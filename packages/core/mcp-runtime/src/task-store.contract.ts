import { beforeEach, describe, expect, test } from 'vitest';
import type { ClientRequest } from './client.js';
import type { World } from './ports.contract.js';
import type { TaskStore } from './ports.js';

/** An empty store, and the way to make it seem that the process that runs all its tasks is gone. */
export interface TaskWorld extends World<TaskStore> {
  abandon(): Promise<void>;
}

const question = (message: string): ClientRequest => ({ method: 'elicitation/create', params: { message } });

/** What every adapter of the task port keeps. */
export function taskStoreContract(create: () => TaskWorld): void {
  const task = { taskId: 't-1', principal: 'ada', ttlMs: 1000 };
  let world: TaskWorld;
  let store: TaskStore;
  beforeEach(() => {
    world = create();
    ({ store } = world);
  });
  const get = (taskId = 't-1') => store.get('ada', taskId);

  test('a new task works, and is found by its principal alone', async () => {
    const at = world.clock.now;
    const record = { ...task, status: 'working', createdAt: at, updatedAt: at, questions: {} };
    expect(await store.create(task)).toEqual(record);
    expect(await get()).toEqual(record);
    expect(await world.reopened().get('ada', 't-1')).toEqual(record);
    expect([await store.get('bob', 't-1'), await get('t-2'), await get('__proto__')]).toEqual(Array(3).fill(undefined));
  });

  test('says how far it is, and when', async () => {
    await store.create(task);
    world.clock.now += 10;
    await store.report(
      new Map([
        ['t-1', 'half'],
        ['unknown', 'x'],
      ]),
    );
    expect(await get()).toMatchObject({ status: 'working', message: 'half', updatedAt: world.clock.now });
  });

  test.each([
    { status: 'completed', outcome: '{"text":"ü 👋"}', message: undefined },
    { status: 'failed', outcome: '{"code":-1}', message: 'why' },
    { status: 'cancelled', outcome: undefined, message: 'who' },
  ] as const)('what has $status stays so, whatever is done to it', async ({ status, outcome, message }) => {
    await store.create(task);
    await store.ask('t-1', { a: question('?') });
    await store.end('t-1', { status, ...(outcome && { outcome }), ...(message && { message }) });
    const ended = await get();
    expect(ended).toMatchObject({ status, outcome, message, questions: {} });
    world.clock.now += 10;
    expect([await store.answer('ada', 't-1', { a: 1 }), await store.cancel('ada', 't-1')]).toEqual([true, true]);
    await store.end('t-1', { status: 'completed', outcome: '{}' });
    await store.ask('t-1', { b: question('?') });
    await store.report(new Map([['t-1', 'late']]));
    await world.abandon();
    await store.endInterrupted();
    expect(await get()).toEqual(ended);
    expect(await store.takeNews()).toEqual([]);
  });

  describe('questions', () => {
    const both = { a: question('one'), b: question('two') };
    beforeEach(async () => {
      await store.create(task);
      await store.ask('t-1', both);
    });

    test('are open until all are answered, one after the other or at once', async () => {
      expect(await get()).toMatchObject({ status: 'input_required', questions: both });
      await store.answer('ada', 't-1', { b: { action: 'accept' } });
      expect(await get()).toMatchObject({ status: 'input_required', questions: { a: both.a } });
      await store.ask('t-1', { c: question('three') });
      expect(Object.keys((await get())?.questions ?? {})).toEqual(['a', 'c']);
      await store.answer('ada', 't-1', { a: 1, c: 2 });
      expect(await get()).toMatchObject({ status: 'working', questions: {} });
    });

    test('give their answers to the process that asked, once', async () => {
      expect(await store.takeNews()).toEqual([]);
      await store.answer('ada', 't-1', { a: 1 });
      await store.answer('ada', 't-1', { b: { text: 'ü' } });
      const news = [{ taskId: 't-1', isCancelled: false, answers: { a: 1, b: { text: 'ü' } } }];
      expect(await store.takeNews()).toEqual(news);
      expect(await store.takeNews()).toEqual([]);
    });

    test('ignore what was never asked or is answered already', async () => {
      const strange = JSON.parse('{"__proto__": 1, "toString": 2, "z": 3}');
      expect(await store.answer('ada', 't-1', strange)).toBe(true);
      expect(await store.takeNews()).toEqual([]);
      await store.answer('ada', 't-1', { a: 1 });
      await store.answer('ada', 't-1', { a: 2, z: 3 });
      expect(await store.takeNews()).toMatchObject([{ answers: { a: 1 } }]);
    });

    test('take no answer from somebody else', async () => {
      expect(await store.answer('bob', 't-1', { a: 1, b: 1 })).toBe(false);
      expect(await get()).toMatchObject({ status: 'input_required' });
    });
  });

  test('a cancellation is told until the task has ended, and only its principal can leave it', async () => {
    await store.create(task);
    expect([await store.cancel('bob', 't-1'), await store.cancel('ada', 't-2')]).toEqual([false, false]);
    expect(await store.takeNews()).toEqual([]);
    expect(await store.cancel('ada', 't-1')).toBe(true);
    for (const _round of [1, 2]) {
      expect(await store.takeNews()).toEqual([{ taskId: 't-1', isCancelled: true, answers: {} }]);
    }
    await store.end('t-1', { status: 'cancelled' });
    expect(await store.takeNews()).toEqual([]);
  });

  describe('of a process that is gone', () => {
    beforeEach(async () => {
      await store.create(task);
      await store.ask('t-1', { a: question('?') });
      await world.abandon();
    });

    test('they have failed when somebody looks', async () => {
      expect(await get()).toMatchObject({ status: 'failed', message: expect.any(String), questions: {} });
      expect((await get())?.outcome).toBeUndefined();
      expect(await store.endInterrupted()).toBe(0);
    });

    test('all of them are ended at once, and none that still runs', async () => {
      await store.create({ ...task, taskId: 't-2' });
      expect(await store.endInterrupted()).toBe(1);
      expect([(await get())?.status, (await get('t-2'))?.status]).toEqual(['failed', 'working']);
    });
  });

  test('is gone after its time, before anything is swept', async () => {
    await store.create(task);
    world.clock.now += 999;
    expect(await get()).toBeDefined();
    world.clock.now += 1;
    expect([await get(), await store.cancel('ada', 't-1'), await store.answer('ada', 't-1', {})]).toEqual([
      undefined,
      false,
      false,
    ]);
  });

  test('sweeping removes what has expired, a part at a time, and nothing else', async () => {
    for (let count = 0; count < 45; count++) await store.create({ ...task, taskId: `old ${count}` });
    world.clock.now += 1000;
    await store.create(task);
    let sweeps = 1;
    while (await store.removeExpired()) sweeps += 1;
    expect(sweeps).toBeGreaterThan(1);
    world.clock.now -= 1000; // Now those that were removed would not have expired, were they still there.
    expect([await get('old 7'), (await get())?.status]).toEqual([undefined, 'working']);
  });
}
