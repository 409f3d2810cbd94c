import type { Config } from '@automatosx/contracts/config';
import type { GuardPolicy } from '@automatosx/contracts/guard';
import type { Cache } from './cache/index.js';
import { cacheLayer } from './cache/layer.js';
import { guard } from './guard/layer.js';
import { idempotency } from './idempotency/layer.js';
import type { ArtifactStore, ChangeSource, IdempotencyStore } from './ports.js';
import { rateLimits } from './rate/layer.js';
import { envelope } from './response/envelope.js';
import { errors } from './response/errors.js';
import { store } from './store/layer.js';
import { timeout } from './timeout/wrapper.js';
import type { Middleware } from './types.js';
import { validate } from './validation/input.js';
import { limits } from './validation/request-validator.js';

export interface LayerOptions {
  /** Asked at every call, so that a changed configuration holds from the next call on. */
  readonly config: () => Config;
  readonly cache: Cache;
  readonly changes: ChangeSource;
  readonly idempotency: IdempotencyStore;
  readonly artifacts: ArtifactStore;
  /** Resolves when the store can be written to in this turn of the event loop. */
  readonly ready: () => Promise<void>;
  readonly policy: GuardPolicy;
  readonly output: Middleware;
  /** Replaces secrets in what an error tells the client. */
  readonly redact: <T>(value: T) => T;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** What every call passes, outermost first. The trace is around all of it, so that nothing goes unrecorded. */
export const layers = (options: LayerOptions): readonly Middleware[] => [
  envelope(options),
  errors(options.log),
  limits(() => options.config().limits.request),
  rateLimits(() => options.config().rateLimits),
  validate,
  guard({ policy: options.policy, config: options.config, cacheStats: () => options.cache.stats() }),
  // The timeout is around the key's claim: it bounds the wait for another call, and a handler that goes on after its
  // deadline keeps the claim until it has ended, so that a second try does not act beside it.
  timeout(() => options.config().timeouts),
  idempotency(options.idempotency),
  store(options.ready),
  cacheLayer(options),
  options.output,
];
