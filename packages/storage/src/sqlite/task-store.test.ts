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

describe('of what has ended, the oldest make room', () => {
  const ended = async (bounds: { entries: number; bytes: number }, outcomes: readonly string[]) => {
    const clock = { now: NOON };
    const store = sqliteTaskStore(open({ file: ':memory:' }), () => ++clock.now, bounds);
    await store.create({ taskId: 'running', principal: 'ada', ttlMs: 10_000 });
    for (const [index, outcome] of outcomes.entries()) {
      await store.create({ taskId: `${index}`, principal: 'ada', ttlMs: 10_000 });
      await store.end(`${index}`, { status: 'completed', message: undefined, outcome });
    }
    const ids = ['running', ...outcomes.keys()].map(String);
    const found = await Promise.all(ids.map((id) => store.get('ada', id)));
    return ids.filter((_id, index) => found[index] !== undefined);
  };

  test('where there are too many', async () => {
    expect(await ended({ entries: 2, bytes: 100 }, ['"a"', '"b"', '"c"'])).toEqual(['running', '1', '2']);
  });

  test('where they are too large, but for the last', async () => {
    const outcomes = ['"12345678"', '"12345678"', `"${'x'.repeat(30)}"`];
    expect(await ended({ entries: 9, bytes: 20 }, outcomes.slice(0, 2))).toEqual(['running', '0', '1']);
    expect(await ended({ entries: 9, bytes: 20 }, outcomes)).toEqual(['running', '2']);
  });
});
