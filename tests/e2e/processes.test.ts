import { expect, test } from 'vitest';
import { integrityOf } from '../support/database.js';
import { temporaryFolder } from '../support/paths.js';
import { TestClient } from '../support/test-client.js';

test('three processes on one home lose no update and keep every trace', { timeout: 60_000 }, async () => {
  const home = temporaryFolder();
  const clients = await Promise.all([1, 2, 3].map(() => TestClient.start({ home })));

  /** Adds one to a shared counter, again and again until nobody was faster. */
  const increment = async (client: TestClient): Promise<void> => {
    for (;;) {
      const { found, value, version } = await client.data('memory_retrieve', { key: 'counter' });
      const next = { key: 'counter', value: found ? value + 1 : 1, expectedVersion: found ? version : 0 };
      const { success, error } = await client.call('memory_store', next);
      if (success) return;
      expect(error).toMatchObject({ code: 'CONFLICT', context: { toolCode: 'VERSION_CONFLICT' } });
    }
  };
  await Promise.all(
    clients.map(async (client, number) => {
      for (let round = 0; round < 20; round++) {
        await Promise.all([
          increment(client),
          client.data('memory_store', { key: `own-${number}-${round}`, value: round }),
        ]);
      }
    }),
  );

  const [client] = clients as [TestClient];
  expect(await client.data('memory_retrieve', { key: 'counter' })).toMatchObject({ value: 60, version: 60 });
  expect((await client.data('memory_list', { prefix: 'own-' })).total).toBe(60);
  const stored = await client.data('trace_list', { toolName: 'memory_store', status: 'success', limit: 1 });
  expect(stored.total).toBe(120);
  await Promise.all(clients.map((each) => each.end()));
  expect(await integrityOf(home)).toBe('ok');
});

test('what one process does is seen by another at once', async () => {
  const home = temporaryFolder();
  const [one, other] = await Promise.all([TestClient.start({ home }), TestClient.start({ home })]);
  const { sessionId } = await one.data('session_create', { initiator: 'lead', task: 'share' });
  await other.data('session_join', { sessionId, agentId: 'helper' });
  const { participants } = await one.data('session_status', { sessionId });
  expect(participants.map(({ agentId }: { agentId: string }) => agentId)).toEqual(['lead', 'helper']);
  await Promise.all([one.end(), other.end()]);
});

test('a kept answer is forgotten when another process changes what it was read from', async () => {
  const home = temporaryFolder();
  const [reader, writer] = await Promise.all([
    TestClient.start({ home, program: 'fixture' }),
    TestClient.start({ home, program: 'fixture' }),
  ]);
  expect(await reader.call('test_count')).toMatchObject({ data: { runs: 1 }, metadata: { cached: false } });
  expect(await reader.call('test_count')).toMatchObject({ data: { runs: 1 }, metadata: { cached: true } });
  await writer.data('memory_store', { key: 'k', value: 1 });
  expect(await reader.call('test_count')).toMatchObject({ data: { runs: 2 }, metadata: { cached: false } });
  await Promise.all([reader.end(), writer.end()]);
});
