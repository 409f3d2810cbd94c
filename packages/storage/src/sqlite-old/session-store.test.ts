import { create, join } from '@automatosx/session-domain';
import { sessionStoreContract } from '@automatosx/session-domain/store.contract';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteChanges } from './changes.js';
import { sqliteSessionStore } from './session-store.js';
import { temporary } from './testing/temporary.js';

const { open, clear } = temporary();
afterEach(clear);

describe('sqlite in a file', () => sessionStoreContract(() => sqliteSessionStore(open())));
describe('sqlite in memory', () => sessionStoreContract(() => sqliteSessionStore(open({ file: ':memory:' }))));

test('a change that gives back the same session writes nothing', async () => {
  const database = open();
  const store = sqliteSessionStore(database);
  const changes = sqliteChanges(database);
  await store.add(create({ sessionId: 's', initiator: 'lead', task: 't' }, '2026-01-01T12:00:00Z'));
  const before = await changes.stamp(['sessions']);
  await store.update('s', (session) => join(session, { agentId: 'lead', role: 'observer' }, '2026-01-01T13:00:00Z'));
  expect(await changes.stamp(['sessions'])).toBe(before);
  await store.update('s', (session) => join(session, { agentId: 'new', role: 'observer' }, '2026-01-01T13:00:00Z'));
  expect(await changes.stamp(['sessions'])).not.toBe(before);
});

test('two databases on one file lose no update', async () => {
  const stores = [sqliteSessionStore(open()), sqliteSessionStore(open())];
  await stores[0]?.add(create({ sessionId: 's', initiator: 'lead', task: 't' }, '2026-01-01T12:00:00Z'));
  await new Promise(setImmediate);
  const joins = Array.from({ length: 9 }, (_, index) =>
    stores[index % 2]?.update('s', (session) =>
      join(session, { agentId: `worker ${index}`, role: 'observer' }, '2026-01-01T13:00:00Z'),
    ),
  );
  await Promise.all(joins);
  await new Promise(setImmediate);
  expect((await stores[0]?.get('s'))?.participants).toHaveLength(10);
});
