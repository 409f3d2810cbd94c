import { complete, create, join, leave } from '@automatosx/session-domain';
import { expect, onTestFinished, test } from 'vitest';
import { sessionResources } from './sessions.js';
import { asked, emptyStores, readIn } from './testing.js';

const AT = '2026-01-01T12:00:00.000Z';
const URIS = ['automatosx://sessions/active', 'sessions://active'];

function opened() {
  const stores = emptyStores(onTestFinished);
  const source = sessionResources({ ...stores, stamp: () => stores.changes.stamp(['sessions']) });
  const add = (sessionId: string) =>
    stores.sessions.add(create({ sessionId, initiator: 'lead', task: 'work', metadata: { large: 1 } }, AT));
  return { ...stores, source, add };
}

test.each(URIS)('%s has the active sessions, newest first, with who takes part', async (uri) => {
  const { source, sessions, add } = opened();
  for (const id of ['first', 'ended', 'last']) await add(id);
  await sessions.update('ended', (session) => complete(session, 'done', AT));
  await sessions.update('last', (session) => join(session, { agentId: 'helper', role: 'observer' }, AT));
  await sessions.update('last', (session) => leave(session, 'helper', AT));
  const read = await readIn(source, uri);
  expect(read).toMatchObject({ total: 2, hasMore: false, sessions: [{ sessionId: 'last' }, { sessionId: 'first' }] });
  expect(read.sessions[0]).toEqual({
    sessionId: 'last',
    status: 'active',
    initiator: 'lead',
    task: 'work',
    participants: [
      { agentId: 'lead', role: 'initiator', joinedAt: AT, taskCount: 0 },
      { agentId: 'helper', role: 'observer', joinedAt: AT, leftAt: AT, taskCount: 0 },
    ],
    participantCount: 1,
    createdAt: AT,
    updatedAt: AT,
    version: 3,
  });
});

test.each(URIS)('the stamp of %s is another one after every change', async (uri) => {
  const { source, sessions, add } = opened();
  const stamps = [await source.stamp(uri, 'user')];
  await add('one');
  stamps.push(await source.stamp(uri, 'user'));
  await sessions.update('one', (session) => complete(session, 'done', AT));
  stamps.push(await source.stamp(uri, 'user'));
  expect(new Set(stamps).size).toBe(3);
  expect(await source.stamp(uri, 'user')).toBe(stamps[2]);
});

test('a hundred are shown, and that there are more', async () => {
  const { source, add } = opened();
  for (let index = 0; index < 101; index++) await add(`session ${index}`);
  const read = await readIn(source, 'sessions://active');
  expect([read.sessions.length, read.total, read.hasMore]).toEqual([100, 101, true]);
});

test('what is none of these has neither content nor stamp', async () => {
  const { source } = opened();
  for (const uri of ['sessions://active/one', 'sessions://ended', 'automatosx://sessions']) {
    expect([await source.read(uri, asked()), source.stamp(uri, 'user')]).toEqual([undefined, undefined]);
  }
});
