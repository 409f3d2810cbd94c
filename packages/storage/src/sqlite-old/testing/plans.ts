import type { Database } from '../database.js';
import type { Value } from '../driver.js';

/** Notes how SQLite goes about every query of `work`, in its own words. */
export async function plansOf(database: Database, work: () => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  await database.read((connection) => {
    const { all, get } = connection;
    const note = (sql: string, values: Value[]) =>
      plans.push(...all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail)));
    Object.assign(connection, {
      all: (sql: string, ...values: Value[]) => note(sql, values) && all(sql, ...values),
      get: (sql: string, ...values: Value[]) => note(sql, values) && get(sql, ...values),
    });
  });
  await work();
  return plans.join('\n');
}
