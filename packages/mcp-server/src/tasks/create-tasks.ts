import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@automatosx/contracts';
import type { Cancellation, ClientPort, TaskEnding, TaskRecord, TaskStore } from '@automatosx/mcp-runtime';
import type { Log } from '../log.js';
import { GRACE_MS } from '../protocol/connection-options.js';
import { RPC, RpcError } from '../protocol/json-rpc.js';
import { within } from '../within.js';
import { RunningTask, type Work } from './running-task.js';
import { createTaskWatch, type TaskWatch } from './task-watch.js';

const TTL_MS = 24 * 60 * 60 * 1000;
const MAX_OF_PRINCIPAL = 256;
const MAX_IN_PROCESS = 1024;
/** How often to look for what other processes left, and to tell how far the work is. */
const TICK_MS = 400;
const RETRY_MS = 1000;
/** How long interrupted work may take to notice that it was. */
const ABORT_MS = 250;

export interface Caller {
  readonly principal: string;
  readonly client: ClientPort;
  /** Of the request that asks for the task: once it is over nobody would get the handle. */
  readonly cancellation: Cancellation;
}

/** Calls that go on when their connection has ended; any process that shares the store can be asked about them. */
export interface Tasks {
  /** Begins the work when the task is durable, and does not wait for it. */
  begin(caller: Caller, work: Work): Promise<TaskRecord>;
  get(principal: string, taskId: string): Promise<TaskRecord | undefined>;
  /** False where `get` finds none. */
  answer(principal: string, taskId: string, answers: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** False where `get` finds none. */
  cancel(principal: string, taskId: string): Promise<boolean>;
  readonly watch: TaskWatch;
  /** Waits for what runs here, and interrupts what is left after the grace. */
  stop(): Promise<void>;
}

interface Options {
  readonly store: TaskStore;
  readonly log: Log;
}

export function createTasks({ store, log }: Options): Tasks {
  const running = new Map<string, RunningTask>();
  let ticker: NodeJS.Timeout | undefined;
  let isTicking = false;
  let isStopping = false;
  let stopped: Promise<void> | undefined;

  const admit = ({ principal, client }: Caller): RunningTask => {
    if (isStopping) throw new RpcError(RPC.busy, 'The server is shutting down', { code: 'SERVICE_UNAVAILABLE' });
    const own = [...running.values()].filter((task) => task.principal === principal).length;
    if (own >= MAX_OF_PRINCIPAL || running.size >= MAX_IN_PROCESS) {
      const data = { code: 'RATE_LIMITED', retryAfterMs: RETRY_MS };
      throw new RpcError(RPC.busy, 'Too many tasks at once', data);
    }
    const taskId = randomUUID();
    const onBug = (error: unknown) =>
      log('error', 'A task failed in a way the server did not foresee', { taskId, error });
    const task = new RunningTask({ taskId, principal, client, store, onBug });
    running.set(taskId, task);
    ticker ??= setInterval(tick, TICK_MS).unref();
    return task;
  };

  const forget = ({ taskId }: RunningTask) => {
    running.delete(taskId);
    if (running.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  };

  const tick = async () => {
    if (isTicking) return;
    isTicking = true;
    await Promise.all([report(), hear()]).catch((error: unknown) =>
      log('warn', 'The store of tasks failed; it is tried again', { error }),
    );
    isTicking = false;
  };

  const report = async () => {
    const messages = new Map<string, string>();
    for (const task of running.values()) {
      const message = task.takeMessage();
      if (message !== undefined) messages.set(task.taskId, message);
    }
    if (messages.size > 0) await store.report(messages);
  };

  const hear = async () => {
    for (const { taskId, isCancelled, answers } of await store.takeNews()) {
      const task = running.get(taskId);
      task?.client.settle(answers);
      if (isCancelled) task?.stop(cancelled());
    }
  };

  const run = async (task: RunningTask, work: Work): Promise<void> => {
    await nextTurn(); // The handle leaves before the work begins.
    await keepEnd(task.taskId, await task.run(work));
    forget(task);
  };

  /** A task whose end is not kept would seem to run for as long as this process lives. */
  const keepEnd = async (taskId: string, ending: TaskEnding): Promise<void> => {
    for (;;) {
      try {
        return await store.end(taskId, ending);
      } catch (error) {
        log('error', 'The end of a task could not be kept; it is tried again', { taskId, error });
      }
      if (isStopping) return;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  };

  const stop = async (): Promise<void> => {
    isStopping = true;
    const tasks = [...running.values()];
    const allEnded = Promise.all(tasks.map(({ ended }) => ended));
    if (await within(GRACE_MS, allEnded)) return;
    for (const task of tasks) task.stop(stopping());
    await within(ABORT_MS, allEnded);
    clearInterval(ticker);
  };

  return {
    begin: async (caller, work) => {
      const task = admit(caller);
      try {
        const record = await clearly(store.create({ taskId: task.taskId, principal: caller.principal, ttlMs: TTL_MS }));
        if (caller.cancellation.isCancelled()) task.stop(cancelled());
        task.ended = run(task, work);
        return record;
      } catch (error) {
        forget(task);
        throw error;
      }
    },
    get: (principal, taskId) => clearly(store.get(principal, taskId)),
    answer: async (principal, taskId, answers) => {
      const isKnown = await clearly(store.answer(principal, taskId, answers));
      if (running.has(taskId)) await clearly(hear());
      return isKnown;
    },
    cancel: async (principal, taskId) => {
      const isKnown = await clearly(store.cancel(principal, taskId));
      if (isKnown) running.get(taskId)?.stop(cancelled());
      return isKnown;
    },
    watch: createTaskWatch(store, log),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

const cancelled = () => new ToolError('CANCELLED', 'The client cancelled the task');
const stopping = () => new ToolError('SERVER_STOPPING', 'The server is stopping; the call was interrupted');

/** What the store cannot do now is told to the client, who may try again. */
const clearly = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, retryAfterMs } = error;
    throw new RpcError(RPC.busy, message, { code, retryAfterMs });
  });
