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

/** Beyond this many, buckets that are full again are forgotten. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  /** Milliseconds of the monotonic clock. */
  filledAt: number;
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

    const waitMs = take(buckets, `${principal}\n${category}`, rate, now());
    if (waitMs === 0) return next(call);
    throw new ToolError('RATE_LIMITED', `Too many ${category} calls; ${name} may be called again in ${waitMs} ms`, {
      retryAfterMs: waitMs,
      context: { category, perSecond: rate.perSecond, burst: rate.burst },
    });
  };
}

/** 0 if a token was there, else how long until the next one. */
function take(buckets: Map<string, Bucket>, key: string, rate: Rate, now: number): number {
  const bucket = buckets.get(key) ?? { tokens: rate.burst, filledAt: now };
  const grown = bucket.tokens + ((now - bucket.filledAt) / 1000) * rate.perSecond;
  bucket.tokens = Math.min(rate.burst, grown);
  bucket.filledAt = now;
  if (buckets.size >= MAX_BUCKETS) forgetFull(buckets, rate, now);
  buckets.set(key, bucket);
  if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / rate.perSecond) * 1000);
  bucket.tokens -= 1;
  return 0;
}

function forgetFull(buckets: Map<string, Bucket>, rate: Rate, now: number): void {
  const fillMs = (rate.burst / rate.perSecond) * 1000;
  for (const [key, { filledAt }] of buckets) {
    if (now - filledAt >= fillMs) buckets.delete(key);
  }
}
