import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@automatosx/contracts';
import { hashOf } from '../canonical.js';
import type { Claim, IdempotencyKey, IdempotencyStore } from '../ports.js';
import type { Handler, Middleware, ToolCall } from '../types.js';

const POLL_MS = 25;

/** A write that is sent again with the same key gives the first successful answer, also after a restart. */
export const idempotency =
  (store: IdempotencyStore): Middleware =>
  (call, next) => {
    const { contract } = call.tool;
    const { principal, idempotencyKey } = call.context;
    if (idempotencyKey === undefined || contract.effect === 'read') return next(call);
    return onceFor(store, { principal, tool: contract.name, key: idempotencyKey }, { call, next });
  };

async function onceFor(
  store: IdempotencyStore,
  key: IdempotencyKey,
  { call, next }: { call: ToolCall; next: Handler },
): Promise<unknown> {
  const claim = await claimed(store, key, call);
  if (claim.state !== 'completed') return runOnce(store, key, () => next(call));
  call.facts.replayed = true;
  return JSON.parse(claim.answer);
}

/** A second call while the first runs waits for it. */
async function claimed(store: IdempotencyStore, key: IdempotencyKey, call: ToolCall): Promise<Claim> {
  const hash = hashOf(call.input);
  for (;;) {
    const claim = await store.claim(key, hash);
    if (claim.state === 'mismatch') {
      throw new ToolError('IDEMPOTENCY_MISMATCH', `The idempotency key was used for ${key.tool} with other arguments`);
    }
    if (claim.state !== 'running') return claim;
    await sleep(POLL_MS, undefined, { signal: call.context.cancellation.signal }).catch(() => {
      throw new ToolError('CANCELLED', `${key.tool} was cancelled while it waited for the first call with its key`);
    });
  }
}

async function runOnce(store: IdempotencyStore, key: IdempotencyKey, run: () => Promise<unknown>): Promise<unknown> {
  try {
    const data = await run();
    await store.complete(key, JSON.stringify(data));
    return data;
  } catch (error) {
    await giveBack(store, key);
    throw error;
  }
}

/**
 * A turn of the event loop whose transaction failed fails the release too, so it is tried again in the next one. Where
 * that fails as well the claim ends with this process; what the caller is told is why the call failed.
 */
const giveBack = (store: IdempotencyStore, key: IdempotencyKey): Promise<void> =>
  store.release(key).catch(() =>
    nextTurn()
      .then(() => store.release(key))
      .catch(() => {}),
  );
