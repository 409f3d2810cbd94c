import type { TaskRecord, TaskStore } from '@automatosx/mcp-runtime';
import type { Log } from '../log.js';

const TICK_MS = 400;

export type Tell = (task: TaskRecord) => void;

/** Begins to tell; returns the way to end that. */
type Begin = () => () => void;

interface Watcher {
  readonly principal: string;
  readonly tell: Tell;
  /** How the client last saw each task that can still change. */
  readonly seen: Map<string, string>;
}

/** Tells of tasks that change, in whichever process they run. */
export interface TaskWatch {
  /** Which of them are the principal's own. Each is told of when it is not just working, and whenever that changes. */
  prepare(principal: string, taskIds: readonly string[], tell: Tell): Promise<{ taskIds: string[]; begin: Begin }>;
}

export function createTaskWatch(store: TaskStore, log: Log): TaskWatch {
  const watchers = new Set<Watcher>();
  let timer: NodeJS.Timeout | undefined;

  const wake = () => {
    const isNeeded = [...watchers].some(({ seen }) => seen.size > 0);
    if (timer !== undefined || !isNeeded) return;
    timer = setTimeout(async () => {
      await look().catch((error: unknown) => log('warn', 'The store of tasks failed; it is tried again', { error }));
      timer = undefined;
      wake();
    }, TICK_MS).unref();
  };

  /** What several watch is read once. */
  const look = async () => {
    const read = new Map<string, Promise<TaskRecord | undefined>>();
    for (const watcher of watchers) {
      for (const taskId of watcher.seen.keys()) {
        const key = JSON.stringify([watcher.principal, taskId]);
        const reading = read.get(key) ?? store.get(watcher.principal, taskId);
        read.set(key, reading);
        tellOf(watcher, taskId, await reading);
      }
    }
  };

  const tellOf = ({ seen, tell }: Watcher, taskId: string, task: TaskRecord | undefined) => {
    if (task && isOpen(task)) {
      const before = seen.get(taskId);
      seen.set(taskId, stampOf(task));
      if (before === stampOf(task)) return;
    } else seen.delete(taskId);
    if (task) tell(task);
  };

  return {
    prepare: async (principal, asked, tell) => {
      const found = await Promise.all([...new Set(asked)].map((taskId) => store.get(principal, taskId)));
      const taskIds = found.filter((task) => task !== undefined).map(({ taskId }) => taskId);
      const watcher: Watcher = { principal, tell, seen: new Map(taskIds.map((taskId) => [taskId, WORKING])) };
      const begin = () => {
        watchers.add(watcher);
        wake();
        return () => void watchers.delete(watcher);
      };
      return { taskIds, begin };
    },
  };
}

const isOpen = ({ status }: TaskRecord): boolean => status === 'working' || status === 'input_required';

/** Also other questions are news to who has to answer them. */
const stampOf = ({ status, questions }: TaskRecord): string => JSON.stringify([status, ...Object.keys(questions)]);

/** As the handle shows it. */
const WORKING = JSON.stringify(['working']);
