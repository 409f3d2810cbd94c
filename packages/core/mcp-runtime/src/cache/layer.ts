import { hashOf } from '../canonical.js';
import type { ChangeSource } from '../ports.js';
import type { Middleware } from '../types.js';
import type { Cache } from './index.js';

/**
 * Answers reads that their contract allows to keep, until any process changes what they were read from. What was kept
 * before a change has another key from then on, so that no answer can be kept too late.
 */
export const cacheLayer =
  ({ cache, changes }: { cache: Cache; changes: ChangeSource }): Middleware =>
  async (call, next) => {
    const { name, cacheUntil } = call.tool.contract;
    if (cacheUntil === undefined) return next(call);

    const stamp = await changes.stamp(cacheUntil);
    const key = `${name}:${hashOf([stamp, call.context.principal, call.context.workspace, call.input])}`;
    const { hit, value } = cache.get(key);
    if (hit) {
      call.facts.cached = true;
      return value;
    }
    const data = await next(call);
    cache.set(key, data);
    return data;
  };
