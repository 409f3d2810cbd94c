import type { ToolError } from '@automatosx/contracts';
import {
  type Cancellation,
  type ClientLog,
  type ClientPort,
  createCancellation,
  type Progress,
  type TaskEnding,
  type TaskStore,
} from '@automatosx/mcp-runtime';
import { RPC, RpcError } from '../protocol/json-rpc.js';
import { TaskClient } from './task-client.js';
import { errorJson } from './task-result.js';

/** A result has to be read back in one piece. */
const MAX_OUTCOME_BYTES = 64 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 1000;

/** What a call needs of the one who makes it, be that a connection or a task. */
export interface Way {
  readonly cancellation: Cancellation;
  readonly progress: (update: Progress) => void;
  readonly client: ClientPort;
  readonly log: ClientLog;
}

/** Makes the call. `json` is the result as the client would have got it. */
export type Work = (way: Way) => Promise<{ readonly isError: boolean; readonly json: string }>;

interface Options {
  readonly taskId: string;
  readonly principal: string;
  readonly client: ClientPort;
  readonly store: TaskStore;
  readonly onBug: (error: unknown) => void;
}

/** One call that runs as a task of this process. */
export class RunningTask implements Way {
  readonly taskId: string;
  readonly principal: string;
  readonly cancellation = createCancellation();
  readonly client: TaskClient;
  /** Resolves when its end has been kept. */
  ended: Promise<void> = Promise.resolve();
  readonly #onBug: Options['onBug'];
  #message: string | undefined;
  #stopped: ToolError | undefined;

  constructor({ taskId, principal, client, store, onBug }: Options) {
    this.taskId = taskId;
    this.principal = principal;
    this.#onBug = onBug;
    this.client = new TaskClient({
      first: client,
      cancellation: this.cancellation,
      show: (questions) => store.ask(taskId, questions),
    });
  }

  readonly progress = ({ progress, total, message }: Progress): void => {
    this.#message = (message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`).slice(0, MAX_MESSAGE_LENGTH);
  };

  /** There is no way to send messages about a task. */
  readonly log = (): void => {};

  /** How far it is, if it has come further since the last time. */
  takeMessage(): string | undefined {
    const message = this.#message;
    this.#message = undefined;
    return message;
  }

  stop(reason: ToolError): void {
    this.#stopped ??= reason;
    this.cancellation.cancel(reason);
  }

  /** Makes the call, and says how the task ends. */
  async run(work: Work): Promise<TaskEnding> {
    try {
      const { isError, json } = await work(this);
      if (isError && this.#stopped) return endOf(this.#stopped);
      const sizeBytes = Buffer.byteLength(json);
      return sizeBytes > MAX_OUTCOME_BYTES ? failed(tooLarge(sizeBytes)) : { status: 'completed', outcome: json };
    } catch (error) {
      if (error instanceof RpcError) return failed(error);
      this.#onBug(error);
      return failed(new RpcError(RPC.internalError, 'Internal error'));
    }
  }
}

const failed = (error: RpcError): TaskEnding => ({
  status: 'failed',
  message: error.message,
  outcome: errorJson(error),
});

const tooLarge = (sizeBytes: number): RpcError =>
  new RpcError(RPC.internalError, `The result has ${sizeBytes} bytes; a task keeps at most ${MAX_OUTCOME_BYTES}`, {
    sizeBytes,
    maxBytes: MAX_OUTCOME_BYTES,
  });

/** Its client asked for its end, or the server is stopping. */
const endOf = ({ code, toolCode, message }: ToolError): TaskEnding =>
  toolCode === 'CANCELLED'
    ? { status: 'cancelled', message }
    : failed(new RpcError(RPC.internalError, message, { code, toolCode }));
