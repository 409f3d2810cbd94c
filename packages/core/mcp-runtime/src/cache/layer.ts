import { hashOf } from '../canonical.js';
import type { ChangeSource } from '../ports.js';
import type { Handler, Middleware, ToolCall } from '../types.js';
import type { Cache } from './index.js';

/**
 * Answers reads that their contract allows to keep, until any process changes what they were read from. What was kept
 * before a change has another key from then on, so that no answer can be kept too late.
 */
export const cacheLayer =
  ({ cache, changes }: { cache: Cache; changes: ChangeSource }): Middleware =>
  (call, next) => {
    const { name, cacheUntil } = call.tool.contract;
    if (cacheUntil === undefined) return next(call);
    return changes.stamp(cacheUntil).then((stamp) => {
      const key = `${name}:${hashOf([stamp, call.context.principal, call.context.workspace, call.input])}`;
      return fromCache(cache, key, { call, next });
    });
  };

async function fromCache(
  cache: Cache,
  key: string,
  { call, next }: { call: ToolCall; next: Handler },
): Promise<unknown> {
  const { hit, value } = cache.get(key);
  if (hit) {
    call.facts.cached = true;
    return value;
  }
  const data = await next(call);
  cache.set(key, data);
  return data;
}
