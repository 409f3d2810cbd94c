import type { ClientRequest } from './client.js';

/** What the idempotency layer needs from storage, in its own words. Keys belong to a principal and a tool. */
export interface IdempotencyStore {
  /**
   * Claims the key for a call that begins now, or says who has it: a call that runs (in any process), or the answer of
   * one that succeeded with these or with other arguments.
   */
  claim(key: IdempotencyKey, argumentsHash: string): Promise<Claim>;
  /** Keeps the answer of the call that holds the claim. */
  complete(key: IdempotencyKey, answer: string): Promise<void>;
  /** Gives the claim back: failures are never replayed. */
  release(key: IdempotencyKey): Promise<void>;
  /** Removes some of the keys that are too old to be honoured. True if there may be more. */
  removeExpired(): Promise<boolean>;
}

export interface IdempotencyKey {
  readonly principal: string;
  readonly tool: string;
  readonly key: string;
}

export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'completed'; readonly answer: string };

/** Keeps what was too large for an answer. */
export interface ArtifactStore {
  /** Keeps the text and says its id; undefined where it is too large to be kept. */
  add(principal: string, body: string): Promise<string | undefined>;
  /** The characters from `offset`, at most `length`. Undefined if there is none, or it is somebody else's. */
  read(principal: string, id: string, range: { offset: number; length: number }): Promise<ArtifactPart | undefined>;
  /** Removes some of what has expired. True if there may be more. */
  removeExpired(): Promise<boolean>;
}

export interface ArtifactPart {
  readonly text: string;
  readonly totalLength: number;
}

/** Tells whether kinds of stored thing changed, in this process or another. */
export interface ChangeSource {
  /** Another text after any change of one of these topics. */
  stamp(topics: readonly string[]): Promise<string>;
}

/**
 * Keeps calls that outlive the connection they were made on. A task belongs to its principal, and while it runs also to
 * the process that runs it. What changes one resolves when the change is durable.
 */
export interface TaskStore {
  /** Of this process from now on. */
  create(task: NewTask): Promise<TaskRecord>;
  /** Undefined if there is none, it is somebody else's, or it has expired. One whose process is gone has failed. */
  get(principal: string, taskId: string): Promise<TaskRecord | undefined>;
  /** Says how far tasks of this process have come, by their ids. */
  report(messages: ReadonlyMap<string, string>): Promise<void>;
  /** Adds questions to a task of this process: it waits until all of them are answered. */
  ask(taskId: string, questions: Questions): Promise<void>;
  /** Ends a task of this process. */
  end(taskId: string, ending: TaskEnding): Promise<void>;
  /** Keeps answers to questions that are open, for its process to take; others are ignored. False where `get` finds none. */
  answer(principal: string, taskId: string, answers: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Leaves word for its process, if it still runs. False where `get` finds none. */
  cancel(principal: string, taskId: string): Promise<boolean>;
  /** What was left for the tasks of this process. Answers are given once, a cancellation until the task has ended. */
  takeNews(): Promise<readonly TaskNews[]>;
  /** Ends those whose process is gone, and says how many. */
  endInterrupted(): Promise<number>;
  /** Removes some of what has expired. True if there may be more. */
  removeExpired(): Promise<boolean>;
}

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export type Questions = Readonly<Record<string, ClientRequest>>;

export interface NewTask {
  readonly taskId: string;
  readonly principal: string;
  readonly ttlMs: number;
}

export interface TaskRecord extends NewTask {
  readonly status: TaskStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly message: string | undefined;
  /** Those that nobody has answered yet. */
  readonly questions: Questions;
  /** JSON of the result or the error. Absent from a failure: its process was gone before the call had ended. */
  readonly outcome: string | undefined;
}

export interface TaskEnding {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly message?: string;
  readonly outcome?: string;
}

export interface TaskNews {
  readonly taskId: string;
  readonly isCancelled: boolean;
  readonly answers: Readonly<Record<string, unknown>>;
}
