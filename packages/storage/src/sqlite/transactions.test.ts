import { ToolError } from '@automatosx/contracts';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from './driver.js';
import { children } from './testing/children.js';
import { temporary } from './testing/temporary.js';

const { path, open, clear } = temporary();
const processes = children(build);
beforeAll(processes.prepare);
afterAll(processes.remove);
afterEach(processes.clear);
afterEach(clear);

const insert = (topic: string) => (connection: Connection) =>
  void connection.run('INSERT INTO changes (topic, version) VALUES (?, 1)', topic);
const bad = (connection: Connection) => void connection.run('INSERT INTO changes (topic) VALUES (NULL)');
const count = (connection: Connection) => Number(connection.get('SELECT count(*) AS rows FROM changes')?.rows);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const unavailable = (message: string) => expect.objectContaining({ toolCode: 'STORAGE_UNAVAILABLE', message });

/** A database whose file is there, and a second connection to it, as another process would have. */
async function opened(options: { lockWaitMs?: number } = {}) {
  const database = open(options);
  await database.read(count);
  return { database, other: connect(path('automatosx.db')) };
}

describe('one turn', () => {
  test('shares one transaction: others see nothing of it before the end and then everything', async () => {
    const { database, other } = await opened();
    const seen: number[] = [];
    const commits = Array.from({ length: 50 }, async (_, index) => {
      await database.write(insert(`topic ${index}`));
      seen.push(count(other));
      await database.atCommit(() => {});
      seen.push(count(other));
    });
    await Promise.all(commits);
    expect(seen).toEqual([...Array(50).fill(0), ...Array(50).fill(50)]);
  });

  test('in a hurry ends with its callback, and what follows is of a transaction of its own', async () => {
    const { database, other } = await opened();
    await database.write(insert('one'));
    database.hurry();
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.resolve();
    await new Promise((resolve) => process.nextTick(resolve));
    expect(count(other)).toBe(1);
    await Promise.all([database.write(insert('two')), database.atCommit(() => {})]);
    expect(count(other)).toBe(2);
    database.hurry(); // Nothing is open.
  });

  test('ends before the next one begins', async () => {
    const { database, other } = await opened();
    await database.write(insert('first'));
    await nextTurn();
    expect(count(other)).toBe(1);
    await database.write(insert('second'));
    expect(count(other)).toBe(1);
    await nextTurn();
    expect(count(other)).toBe(2);
  });

  test('takes in what a call does after waiting for its own writes', async () => {
    const { database, other } = await opened();
    const call = async () => {
      for (let index = 0; index < 20; index++) await database.write(insert(`step ${index}`));
      expect(count(other)).toBe(0);
      await database.atCommit(insert('trace'));
    };
    await call();
    expect(count(other)).toBe(21);
  });

  test('is read back before it is durable', async () => {
    const { database } = await opened();
    await database.write(insert('mine'));
    expect(await database.read(count)).toBe(1);
  });

  test('what waits for the commit runs last, in order', async () => {
    const { database } = await opened();
    const order: string[] = [];
    const work = (name: string) => () => void order.push(name);
    await Promise.all([
      database.atCommit(work('last 1')),
      database.write(work('first')),
      database.atCommit(work('last 2')),
      database.write(work('second')),
    ]);
    expect(order).toEqual(['first', 'second', 'last 1', 'last 2']);
  });
});

describe('failures', () => {
  test('an error of the database dooms its whole turn, and later turns work again', async () => {
    const { database, other } = await opened();
    const failed = unavailable('The database failed');
    const outcomes = await Promise.allSettled([
      database.write(insert('before')),
      database.atCommit(insert('trace of before')),
      database.write(bad),
      database.write(insert('after')),
      database.atCommit(() => {}),
    ]);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : 'ran'));
    expect(reasons).toEqual(['ran', failed, failed, failed, failed]);
    expect(count(other)).toBe(0);
    await nextTurn();
    await Promise.all([database.write(insert('later')), database.atCommit(() => {})]);
    expect(count(other)).toBe(1);
  });

  test('an error at the commit undoes the turn as well', async () => {
    const { database, other } = await opened();
    const written = database.write(insert('before'));
    await expect(database.atCommit(bad)).rejects.toEqual(unavailable('The database failed'));
    await expect(written).resolves.toBeUndefined();
    expect(count(other)).toBe(0);
  });

  test.each([new ToolError('VERSION_CONFLICT', 'It moved'), new TypeError('A bug')])(
    'what a work throws is thrown as it is and undoes nothing (%s)',
    async (error) => {
      const { database, other } = await opened();
      const outcomes = await Promise.allSettled([
        database.write(insert('before')),
        database.write(() => {
          throw error;
        }),
        database.write(insert('after')),
        database.atCommit(insert('trace')),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: error });
      expect(count(other)).toBe(3);
    },
  );

  test('a query that fails says so without the words of the host, which the log gets', async () => {
    const heard: unknown[] = [];
    const database = open({ log: (_, error) => heard.push(error) });
    const attempt = database.read((connection) => connection.get('SELECT secret FROM nowhere'));
    await expect(attempt).rejects.toEqual(unavailable('The database failed'));
    expect(String(heard[0])).toContain('nowhere');
  });
});

describe('a lock that another holds', () => {
  /** Does `work` and says how often an interval of 5 ms came meanwhile. */
  const ticksDuring = async (work: () => Promise<unknown>) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await work();
    clearInterval(timer);
    return ticks;
  };

  test('is waited for without stopping the event loop, and then all that waited is stored', async () => {
    const { database, other } = await opened();
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => other.exec('COMMIT'), 300);
    const order: string[] = [];
    const ticks = await ticksDuring(async () => {
      const calls = ['a', 'b', 'c'].map(async (name, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 20));
        await database.write(insert(name)).then(() => order.push(name));
        await database.atCommit(() => {});
      });
      await Promise.all(calls);
    });
    expect(ticks).toBeGreaterThan(20);
    expect([order, count(other)]).toEqual([['a', 'b', 'c'], 3]);
  });

  test('of a real process is waited for as well, and does not keep anybody from reading', async () => {
    const { database } = await opened();
    const holder = processes.start('lock', path('automatosx.db'));
    expect(await holder.line()).toBe('locked');
    const stored = Promise.all([database.write(insert('mine')), database.atCommit(() => {})]);
    const ticks = await ticksDuring(async () => {
      for (let reads = 0; reads < 20; reads++) {
        expect(await database.read(count)).toBe(0);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
    expect(ticks).toBeGreaterThan(15);
    holder.tell();
    await stored;
    expect(await database.read(count)).toBe(1);
  });

  test('that keeps even readers out is waited for when the file is opened', async () => {
    const visitor = processes.start('visit', path('automatosx.db'));
    expect(await visitor.line()).toBe('stored');
    await visitor.kill('SIGTERM');
    const holder = processes.start('lock', path('automatosx.db'), 'exclusive');
    expect(await holder.line()).toBe('locked');
    const late = open();
    const ticks = await ticksDuring(async () => {
      setTimeout(() => holder.kill('SIGKILL'), 300);
      expect(await late.read(count)).toBe(1);
    });
    expect(ticks).toBeGreaterThan(20);
  });

  test('is given up on after a while, and works when it is free', async () => {
    const { database, other } = await opened({ lockWaitMs: 100 });
    other.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const attempts = await Promise.allSettled([database.write(insert('lost')), database.atCommit(() => {})]);
    const locked = unavailable('Another process keeps the database locked');
    expect(attempts).toMatchObject([{ reason: locked }, { reason: locked }]);
    expect(attempts).toMatchObject([{ reason: { retryAfterMs: 1000 } }, {}]);
    expect(performance.now() - started).toBeGreaterThan(95);
    other.exec('COMMIT');
    await Promise.all([database.write(insert('kept')), database.atCommit(() => {})]);
    expect(count(other)).toBe(1);
  });
});

describe('close', () => {
  test('gives up what still waits for a lock, and stores nothing of it', async () => {
    const { database, other } = await opened();
    other.exec('BEGIN IMMEDIATE');
    const stored = database.write(insert('mine'));
    const refused = expect(stored).rejects.toMatchObject({ toolCode: 'STORAGE_UNAVAILABLE' });
    await database.close();
    await refused;
    other.exec('COMMIT');
    expect(count(other)).toBe(0);
  });

  test('waits also for what begins when the first is done', async () => {
    const { database, other } = await opened();
    const chain = database.atCommit(insert('first')).then(() => database.atCommit(insert('second')));
    await Promise.all([database.close(), chain]);
    expect(count(other)).toBe(2);
  });
});
