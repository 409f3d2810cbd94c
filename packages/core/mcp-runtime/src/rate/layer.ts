import { type ToolCategory, ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { Middleware } from '../types.js';

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** What a remote principal may do where nothing is configured. A local user is unlimited then. */
const REMOTE_RATES: Readonly<Record<ToolCategory, Rate>> = {
  query: { perSecond: 100, burst: 500 },
  mutation: { perSecond: 50, burst: 200 },
  scan: { perSecond: 1, burst: 10 },
  execution: { perSecond: 2, burst: 20 },
};

/** Beyond this many, the bucket that was used longest ago is forgotten: by then it is most likely full again. */
const MAX_BUCKETS = 10_000;

/** What adding up fractions may have lost of a whole token. */
const ROUNDING = 1e-6;

interface Bucket {
  readonly tokens: number;
  /** Milliseconds of the monotonic clock. */
  readonly filledAt: number;
}

/** A bucket of tokens per principal and category: a call takes one, time gives them back. */
export function rateLimits(
  configured: () => Config['rateLimits'],
  now: () => number = () => performance.now(),
): Middleware {
  const buckets = new Map<string, Bucket>();
  return (call, next) => {
    const { category, name } = call.tool.contract;
    const { principal, isLocal } = call.context;
    const rate = configured()[category] ?? (isLocal ? undefined : REMOTE_RATES[category]);
    if (!rate) return next(call);

    const waitMs = take(buckets, `${principal}\n${category}`, { rate, now: now() });
    if (waitMs === 0) return next(call);
    throw new ToolError('RATE_LIMITED', `Too many ${category} calls; ${name} may be called again in ${waitMs} ms`, {
      retryAfterMs: waitMs,
      context: { category, perSecond: rate.perSecond, burst: rate.burst },
    });
  };
}

/** 0 if a token was there, else how long until the next one. */
function take(buckets: Map<string, Bucket>, key: string, { rate, now }: { rate: Rate; now: number }): number {
  const { tokens, filledAt } = buckets.get(key) ?? { tokens: rate.burst, filledAt: now };
  const filled = Math.min(rate.burst, tokens + ((now - filledAt) / 1000) * rate.perSecond);
  const isEnough = filled >= 1 - ROUNDING;
  remember(buckets, key, { tokens: isEnough ? Math.max(0, filled - 1) : filled, filledAt: now });
  return isEnough ? 0 : Math.ceil(((1 - filled) / rate.perSecond) * 1000);
}

function remember(buckets: Map<string, Bucket>, key: string, bucket: Bucket): void {
  // Delete before set: a Map keeps a key's first position, and the order of use is that position.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size <= MAX_BUCKETS) return;
  const [oldest = key] = buckets.keys();
  buckets.delete(oldest);
}
