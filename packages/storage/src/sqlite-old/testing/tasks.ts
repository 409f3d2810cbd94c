import { once } from 'node:events';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { type MemoryStore, toNewEntry } from '@automatosx/memory-domain';
import type { Database } from '../database.js';
import { openDatabase } from '../database.js';
import { connect } from '../driver.js';
import { sqliteIdempotencyStore } from '../idempotency-store.js';
import { sqliteMemoryStore } from '../memory-store.js';
import { sqliteTraceStore } from '../trace-store.js';

/** What tests let other processes do. Arguments are texts, and every line of output is a message to the test. */
const tasks: Record<string, (...texts: string[]) => Promise<void>> = {
  /** Keeps the write lock, or all others out, until it is told to let go. */
  async lock(file = '', mode = 'shared') {
    const connection = connect(file);
    if (mode === 'exclusive') connection.exec('PRAGMA locking_mode = EXCLUSIVE');
    connection.exec('BEGIN IMMEDIATE; DELETE FROM changes');
    say('locked');
    await once(process.stdin, 'data');
    connection.exec('COMMIT');
  },

  /** Opens the database, whatever its state, and says how that went. */
  async visit(file = '') {
    const database = open(file);
    for (;;) {
      say(await outcomeOf(database));
      await once(process.stdin, 'data');
    }
  },

  /** Begins a call with an idempotency key and does not come to an end. */
  async begin(file = '', traceId = '') {
    const database = open(file);
    await sqliteIdempotencyStore(database, Date.now).claim({ principal: 'user', tool: 'slow', key: 'k' }, 'hash');
    const record = {
      traceId,
      toolName: 'slow',
      workflowId: 'mcp.tool.slow',
      status: 'running',
      principal: 'user',
    } as const;
    const rest = { startedAt: Date.now(), workspace: '/work', correlationId: 'c', input: '{}', steps: [], marks: {} };
    await sqliteTraceStore(database, Date.now).begin({ ...record, ...rest });
    say('begun');
    await once(process.stdin, 'data');
  },

  /** Stores entries, and raises a counter that others raise too with every fifth of them. */
  async write(file = '', name = '', count = '') {
    const database = open(file);
    const store = sqliteMemoryStore(database, Date.now);
    let increments = 0;
    let conflicts = 0;
    for (let index = 0; index < Number(count); index++) {
      await put(database, store, { key: `${name} ${index}`, value: index });
      if (index % 5 > 0) continue;
      conflicts += await increment(database, store);
      increments += 1;
    }
    await database.close();
    say(JSON.stringify({ increments, conflicts }));
  },

  /** Stores entries without end, several at a time, and says the key of each when it is durable. */
  async flood(file = '', name = '') {
    const database = open(file);
    const store = sqliteMemoryStore(database, Date.now);
    const lane = async (number: number) => {
      for (let index = 0; ; index++) {
        const key = `${name} ${number} ${index}`;
        await put(database, store, { key, value: 'x'.repeat(index % 2000) });
        say(key);
        await new Promise(setImmediate);
      }
    };
    await Promise.all([0, 1, 2, 3].map(lane));
  },

  /** Stores until the disk is full, says what is left of it, makes room and stores again. */
  async fill(file = '') {
    writeFileSync(`${file}.ballast`, Buffer.alloc(1_000_000));
    const database = open(file);
    const store = sqliteMemoryStore(database, Date.now);
    let stored = 0;
    let failure: string | undefined;
    while (failure === undefined) {
      const entry = { key: `entry ${stored}`, value: 'x'.repeat(50_000) };
      failure = await put(database, store, entry).then(() => void stored++, messageOf);
      await new Promise(setImmediate);
    }
    const { total } = await store.list({ page: { limit: 1, offset: 0 } });
    say(`${failure}: ${total - stored} entries too many`);
    rmSync(`${file}.ballast`);
    say(await outcomeOf(database));
    say(String((await database.read((connection) => connection.get('PRAGMA integrity_check')))?.integrity_check));
  },
};

const open = (file: string) => openDatabase({ file, synchronous: () => 'normal', lockWaitMs: 30_000 });

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Written at once: a process that is killed must not take what it said with it.
const say = (line: string) => void writeSync(1, `${line}\n`);

async function put(
  database: Database,
  store: MemoryStore,
  entry: { key: string; value: unknown; expectedVersion?: number },
): Promise<void> {
  const stored = store.put(toNewEntry({ namespace: 'default', ...entry }));
  await Promise.all([stored, database.atCommit(() => {})]);
}

/** Says how often somebody else was faster. */
async function increment(database: Database, store: MemoryStore): Promise<number> {
  for (let conflicts = 0; ; conflicts++) {
    const before = await store.get('default', 'counter');
    const entry = { key: 'counter', value: Number(before?.json ?? 0) + 1, expectedVersion: before?.version ?? 0 };
    const error = await put(database, store, entry).catch((reason) => reason);
    if (error === undefined) return conflicts;
    if (error.toolCode !== 'VERSION_CONFLICT') throw error;
    await new Promise(setImmediate);
  }
}

const outcomeOf = (database: Database): Promise<string> =>
  put(database, sqliteMemoryStore(database, Date.now), { key: 'visit', value: 1 }).then(() => 'stored', messageOf);

const [name = '', ...texts] = process.argv.slice(2);
await tasks[name]?.(...texts);
process.exit(0);
