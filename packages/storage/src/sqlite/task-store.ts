import type { Questions, TaskRecord, TaskStatus, TaskStore } from '@automatosx/mcp-runtime';
import type { Database } from './database.js';
import type { Connection, Row, Value } from './driver.js';
import { isAlive, thisProcess } from './processes.js';

/** Results may be large, so few go at a time. */
const SWEEP = 20;
/** What has ended is kept within these; the oldest make room. */
const BOUNDS = { entries: 10_000, bytes: 256_000_000 };

const OURS = 'task_id = ? AND owner = ?';

type Json = Readonly<Record<string, unknown>>;

export function sqliteTaskStore(database: Database, now: () => number, bounds = BOUNDS): TaskStore {
  const durably = async <T>(work: (connection: Connection) => T): Promise<T> => {
    const [value] = await Promise.all([database.write(work), database.atCommit(() => {})]);
    return value;
  };

  const find = (connection: Connection, principal: string, taskId: string): Row | undefined =>
    connection.get(
      'SELECT * FROM tasks WHERE task_id = ? AND principal = ? AND expires_at > ?',
      ...[taskId, principal, now()],
    );

  const isOrphan = ({ owner = null, created_at }: Row): boolean =>
    owner !== null && !isAlive(String(owner), { begunAt: Number(created_at), now: now() });

  /** Somebody else may have found it in the meantime, so the owner is asked for again. */
  const endOrphan = (connection: Connection, { task_id = null, owner = null }: Row): void => {
    connection.run(
      `UPDATE tasks SET status = 'failed', message = ?, ${ENDED} WHERE ${OURS}`,
      ...['The process that ran this call ended before it did', now(), task_id, owner],
    );
  };

  const get = async (principal: string, taskId: string): Promise<Row | undefined> => {
    const query = (connection: Connection) => find(connection, principal, taskId);
    const row = await database.read(query);
    if (!row || !isOrphan(row)) return row;
    await durably((connection) => endOrphan(connection, row));
    return database.read(query);
  };

  return {
    create: async ({ taskId, principal, ttlMs }) => {
      const at = now();
      await durably((connection) =>
        connection.run(
          `INSERT INTO tasks (task_id, principal, status, owner, created_at, updated_at, expires_at, cancelled)
           VALUES (?, ?, 'working', ?, ?, ?, ?, 0)`,
          ...[taskId, principal, thisProcess, at, at, at + ttlMs],
        ),
      );
      const rest = { message: undefined, questions: {}, outcome: undefined };
      return { taskId, principal, ttlMs, status: 'working', createdAt: at, updatedAt: at, ...rest };
    },

    get: async (principal, taskId) => {
      const row = await get(principal, taskId);
      return row && toRecord(row);
    },

    report: (messages) =>
      durably((connection) => {
        for (const [taskId, message] of messages) {
          connection.run(
            `UPDATE tasks SET message = ?, updated_at = ? WHERE ${OURS}`,
            ...[message, now(), taskId, thisProcess],
          );
        }
      }),

    ask: (taskId, questions) =>
      durably((connection) => {
        const row = connection.get(`SELECT questions FROM tasks WHERE ${OURS}`, taskId, thisProcess);
        const all = { ...parsed(row?.questions), ...questions };
        connection.run(
          `UPDATE tasks SET status = 'input_required', questions = ?, updated_at = ? WHERE ${OURS}`,
          ...[JSON.stringify(all), now(), taskId, thisProcess],
        );
      }),

    end: (taskId, { status, message, outcome }) =>
      durably((connection) => {
        const size = Buffer.byteLength(outcome ?? '');
        makeRoom(connection, size, bounds);
        connection.run(
          `UPDATE tasks SET status = ?, message = ?, outcome = ?, size = ?, ${ENDED} WHERE ${OURS}`,
          ...[status, message ?? null, outcome ?? null, size, now(), taskId, thisProcess],
        );
      }),

    answer: async (principal, taskId, answers) => {
      if (!(await get(principal, taskId))) return false;
      await durably((connection) => {
        const row = find(connection, principal, taskId);
        if (row) keepAnswers(connection, row, { answers, now: now() });
      });
      return true;
    },

    cancel: async (principal, taskId) => {
      if (!(await get(principal, taskId))) return false;
      await durably((connection) =>
        connection.run('UPDATE tasks SET cancelled = 1 WHERE task_id = ? AND owner IS NOT NULL', taskId),
      );
      return true;
    },

    takeNews: async () => {
      const query = (connection: Connection) => connection.all(NEWS, thisProcess);
      if ((await database.read(query)).length === 0) return [];
      const rows = await database.write((connection) => {
        const found = query(connection);
        connection.run('UPDATE tasks SET answers = NULL WHERE owner = ? AND answers IS NOT NULL', thisProcess);
        return found;
      });
      return rows.map(({ task_id, cancelled, answers }) => ({
        taskId: String(task_id),
        isCancelled: cancelled === 1,
        answers: parsed(answers),
      }));
    },

    endInterrupted: async () => {
      const running = await database.read((connection) =>
        connection.all('SELECT * FROM tasks WHERE owner IS NOT NULL'),
      );
      const orphans = running.filter(isOrphan);
      if (orphans.length > 0) await durably((connection) => void orphans.map((row) => endOrphan(connection, row)));
      return orphans.length;
    },

    removeExpired: () =>
      database.write((connection) => {
        const { changes } = connection.run(
          'DELETE FROM tasks WHERE task_id IN (SELECT task_id FROM tasks WHERE expires_at <= ? LIMIT ?)',
          ...[now(), SWEEP],
        );
        return changes === SWEEP;
      }),
  };
}

function makeRoom(connection: Connection, size: number, bounds: typeof BOUNDS): void {
  const ended = connection.get('SELECT count(*) AS entries, sum(size) AS bytes FROM tasks WHERE owner IS NULL');
  let entries = 1 + Number(ended?.entries);
  let bytes = size + Number(ended?.bytes ?? 0);
  while (entries > bounds.entries || (bytes > bounds.bytes && entries > 1)) {
    const oldest = connection.get(
      'SELECT task_id, size FROM tasks WHERE owner IS NULL ORDER BY updated_at LIMIT 1',
    ) as Row;
    connection.run('DELETE FROM tasks WHERE task_id = ?', oldest.task_id as string);
    entries -= 1;
    bytes -= Number(oldest.size);
  }
}

/** What nobody needs any more once it has ended. */
const ENDED = 'owner = NULL, questions = NULL, answers = NULL, updated_at = ?';

const NEWS = `SELECT task_id, cancelled, answers FROM tasks
   WHERE owner = ? AND (cancelled = 1 OR answers IS NOT NULL)`;

const parsed = (json: Value | undefined): Json => (typeof json === 'string' ? JSON.parse(json) : {});

/** Moves what was answered from the questions to the answers; without open questions it goes on working. */
function keepAnswers(connection: Connection, row: Row, { answers, now }: { answers: Json; now: number }): void {
  const questions = Object.entries(parsed(row.questions));
  const answered = questions.filter(([key]) => Object.hasOwn(answers, key)).map(([key]) => [key, answers[key]]);
  if (answered.length === 0) return;
  const open = questions.filter(([key]) => !Object.hasOwn(answers, key));
  connection.run(
    'UPDATE tasks SET status = ?, questions = ?, answers = ?, updated_at = ? WHERE task_id = ?',
    open.length === 0 ? 'working' : 'input_required',
    open.length === 0 ? null : JSON.stringify(Object.fromEntries(open)),
    JSON.stringify({ ...parsed(row.answers), ...Object.fromEntries(answered) }),
    ...[now, row.task_id as string],
  );
}

const textOf = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const toRecord = (row: Row): TaskRecord => ({
  taskId: String(row.task_id),
  principal: String(row.principal),
  status: row.status as TaskStatus,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  ttlMs: Number(row.expires_at) - Number(row.created_at),
  message: textOf(row.message),
  questions: parsed(row.questions) as Questions,
  outcome: textOf(row.outcome),
});
