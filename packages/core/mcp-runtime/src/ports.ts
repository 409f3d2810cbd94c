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
