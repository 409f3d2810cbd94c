import type { Page } from '@automatosx/contracts';
import { ToolError } from '@automatosx/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { complete, create, fail, join, type Session } from './session.js';
import type { SessionStore } from './store.js';

const NOON = '2026-01-01T12:00:00.000Z';
const LATER = '2026-01-01T13:00:00.000Z';
const page = { limit: 100, offset: 0 };

const sessionOf = (sessionId: string, rest: Partial<Session> = {}): Session => ({
  ...create({ sessionId, initiator: 'lead', task: `Task of ${sessionId}`, workspace: '/work' }, NOON),
  ...rest,
});

/** What every adapter of the session port keeps. */
export function sessionStoreContract(createStore: () => SessionStore): void {
  let store: SessionStore;
  beforeEach(() => {
    store = createStore();
  });
  const add = async (...sessions: Session[]) => {
    for (const session of sessions) await store.add(session);
  };
  const ids = async (query: Omit<Parameters<SessionStore['list']>[0], 'page'> = {}) => {
    const { items, total } = await store.list({ ...query, page });
    expect(total).toBe(items.length);
    return items.map(({ sessionId }) => sessionId);
  };
  const joinAs = (agentId: string) => (session: Session) => join(session, { agentId, role: 'collaborator' }, LATER);

  test('gives back every field of what was added', async () => {
    const metadata = { nested: { list: [1, 'ü', null] }, __proto__x: true };
    const session = sessionOf('one', { metadata, summary: 'none yet' });
    await add(session);
    expect(await store.get('one')).toEqual(session);
    expect(await store.get('missing')).toBeUndefined();
    expect(await store.get('__proto__')).toBeUndefined();
  });

  describe('update', () => {
    test('stores what the change makes, and gives it back', async () => {
      await add(sessionOf('one'), sessionOf('two'));
      const updated = await store.update('one', joinAs('worker'));
      expect(updated?.participants).toHaveLength(2);
      expect(await store.get('one')).toEqual(updated);
      expect(await store.get('two')).toEqual(sessionOf('two'));
    });

    test('is undefined for a session that is not there, and changes nothing', async () => {
      let isCalled = false;
      const change = (session: Session) => {
        isCalled = true;
        return session;
      };
      expect(await store.update('missing', change)).toBeUndefined();
      expect([isCalled, await ids()]).toEqual([false, []]);
    });

    test('none of many changes at once is lost', async () => {
      await add(sessionOf('one'));
      const workers = Array.from({ length: 9 }, (_, index) => `worker ${index}`);
      await Promise.all(workers.map((agentId) => store.update('one', joinAs(agentId))));
      const session = await store.get('one');
      expect(session?.participants.map(({ agentId }) => agentId)).toEqual(['lead', ...workers]);
      expect(session?.version).toBe(10);
    });

    test.each([new ToolError('SESSION_MAX_PARTICIPANTS', 'Full'), new RangeError('A bug')])(
      'what the change throws is thrown as it is, and all stays as it was (%s)',
      async (error) => {
        const before = sessionOf('one');
        await add(before);
        const attempt = store.update('one', () => {
          throw error;
        });
        await expect(attempt).rejects.toBe(error);
        expect(await store.get('one')).toEqual(before);
        expect((await store.update('one', joinAs('worker')))?.version).toBe(2);
      },
    );

    test('a failed change undoes none of the others of the same moment', async () => {
      await add(sessionOf('one'));
      const outcomes = await Promise.allSettled([
        store.update('one', joinAs('first')),
        store.update('one', () => {
          throw new Error('A bug');
        }),
        store.update('one', joinAs('second')),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      await new Promise(setImmediate);
      expect((await store.get('one'))?.participants).toHaveLength(3);
    });

    test('moves a session to the list of its new status', async () => {
      await add(sessionOf('one'), sessionOf('two'));
      await store.update('one', (session) => complete(session, 'Done', LATER));
      expect([await ids({ status: 'active' }), await ids({ status: 'completed' })]).toEqual([['two'], ['one']]);
    });
  });

  describe('list', () => {
    const fill = async () => {
      await add(
        sessionOf('a', { initiator: 'ann' }),
        sessionOf('b', { initiator: 'bob', workspace: '/other' }),
        sessionOf('c', { initiator: 'ann', workspace: undefined }),
        sessionOf('d', { initiator: 'Ann', workspace: '/work/' }),
      );
      await store.update('a', (session) => complete(session, undefined, LATER));
      await store.update('b', (session) => fail(session, { code: 'X', message: 'x' }, LATER));
    };

    test('is empty at first', async () => {
      expect(await store.list({ page })).toMatchObject({ items: [], total: 0, next: undefined });
    });

    test('gives the newest first; a change does not move a session', async () => {
      await fill();
      expect(await ids()).toEqual(['d', 'c', 'b', 'a']);
    });

    test.each([
      [{ status: 'active' }, ['d', 'c']],
      [{ status: 'completed' }, ['a']],
      [{ status: 'failed' }, ['b']],
      [{ initiator: 'ann' }, ['c', 'a']],
      [{ initiator: 'nobody' }, []],
      [{ workspace: '/work' }, ['a']],
      [{ workspace: '/other' }, ['b']],
      [{ initiator: 'ann', status: 'active' }, ['c']],
      [{ initiator: 'ann', workspace: '/work', status: 'completed' }, ['a']],
      [{ initiator: 'ann', workspace: '/other' }, []],
    ] as const)('the filter %j gives %j', async (filter, expected) => {
      await fill();
      expect(await ids(filter)).toEqual(expected);
    });

    test('pages give every session once, also while others are added', async () => {
      const all = Array.from({ length: 7 }, (_, index) => `session ${index}`);
      await add(...all.map((id) => sessionOf(id)));
      const seen: string[] = [];
      let place: Page | undefined = { limit: 3, offset: 0 };
      while (place) {
        const { items, total, next } = await store.list({ status: 'active', page: place });
        expect(total).toBeGreaterThanOrEqual(7);
        seen.push(...items.map(({ sessionId }) => sessionId));
        await add(sessionOf(`added after ${seen.length}`));
        place = next === undefined ? undefined : { limit: 3, offset: 0, after: next };
      }
      expect(seen).toEqual(all.reverse());
    });

    test('an offset skips as many', async () => {
      await fill();
      const { items, total, next } = await store.list({ page: { limit: 2, offset: 1 } });
      expect(items.map(({ sessionId }) => sessionId)).toEqual(['c', 'b']);
      expect([total, typeof next]).toEqual([4, 'string']);
      expect((await store.list({ page: { limit: 2, offset: 2 } })).next).toBeUndefined();
    });
  });
}
