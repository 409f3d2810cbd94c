import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { integrityOf } from '../support/database.js';
import { temporaryFolder } from '../support/paths.js';
import { TestClient } from '../support/test-client.js';

const KILLS = Number(process.env.AUTOMATOSX_TEST_KILLS ?? 50);

test(`killed ${KILLS} times at random moments under load, it loses no acknowledged write`, {
  timeout: 180_000,
}, async () => {
  const home = temporaryFolder();
  const acknowledged = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    const client = await TestClient.start({ home });
    for (let index = 0; index < 200; index++) {
      const key = `${round}-${index}`;
      void client
        .call('memory_store', { key, value: { round, index } })
        .then(({ success }) => success && acknowledged.add(key));
    }
    await sleep(Math.random() * 60);
    await client.kill();
  }
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(await integrityOf(home)).toBe('ok');

  const client = await TestClient.start({ home });
  const kept = new Set<string>();
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await client.data('memory_list', { limit: 1000, ...(cursor && { cursor }) });
    for (const { key } of page.keys) kept.add(key);
    cursor = page.nextCursor;
    more = page.hasMore;
  }
  expect([...acknowledged].filter((key) => !kept.has(key))).toEqual([]);
  // A change and its trace are one transaction: as many stored as traced.
  const { total } = await client.data('trace_list', { toolName: 'memory_store', status: 'success', limit: 1 });
  expect(total).toBe(kept.size);
  await client.end();
});
