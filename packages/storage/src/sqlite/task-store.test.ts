import { taskStoreContract } from '@automatosx/mcp-runtime/ports.contract';
import { afterEach, describe, expect, test } from 'vitest';
import { sqliteTaskStore } from './task-store.js';
import { plansOf } from './testing/plans.js';
import { temporary } from './testing/temporary.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const { open, clear } = temporary();
afterEach(clear);

function tasks(file?: string) {
  const clock = { now: NOON };
  const database = open(file ? { file } : {});
  const reopened = () => sqliteTaskStore(database, () => clock.now);
  const abandon = () =>
    database.write((connection) => {
      // A process number that is not given out, on this very host.
      connection.run(
        "UPDATE tasks SET owner = substr(owner, 1, instr(owner, '|')) || '4194305|never|x' WHERE owner IS NOT NULL",
      );
    });
  return { clock, reopened, store: reopened(), abandon, database };
}

describe('sqlite in a file', () => taskStoreContract(() => tasks()));
describe('sqlite in memory', () => taskStoreContract(() => tasks(':memory:')));

test('looking for news touches only what this process runs', async () => {
  const { store, database } = tasks();
  expect(await plansOf(database, store.takeNews)).toMatch(/USING INDEX tasks_by_owner/);
});

test('a task is durable before it is given out: another connection finds it', async () => {
  const { store } = tasks();
  await store.create({ taskId: 't', principal: 'ada', ttlMs: 1000 });
  const other = sqliteTaskStore(open(), () => NOON);
  expect(await other.get('ada', 't')).toMatchObject({ status: 'working' });
});
