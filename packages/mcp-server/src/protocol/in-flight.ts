import { ToolError } from '@automatosx/contracts';
import { type RequestId, RPC, RpcError } from './json-rpc.js';

/** Beyond this many requests at once the rest are refused, so that one client cannot take all memory. */
const MAX_IN_FLIGHT = 256;
const RETRY_MS = 100;
/** How long interrupted work may take to notice that it was. */
const ABORT_MS = 250;

/** One request under way. */
export interface InFlight {
  readonly signal: AbortSignal;
  /** True once it was cancelled or has ended: nothing more is sent for it. */
  isOver(): boolean;
  end(): void;
}

/** The requests of one connection that are under way, by their ids. */
export function createInFlight() {
  const calls = new Map<RequestId, { call: InFlight; abort: (reason: ToolError) => void; ended: Promise<void> }>();
  let isDraining = false;

  const begin = (id: RequestId): InFlight => {
    if (calls.has(id)) throw new RpcError(RPC.invalidRequest, 'A request with this id is under way');
    if (isDraining) throw busy('The server is shutting down', { code: 'SERVICE_UNAVAILABLE' });
    if (calls.size >= MAX_IN_FLIGHT) {
      throw busy('Too many requests at once', { code: 'RATE_LIMITED', retryAfterMs: RETRY_MS });
    }
    const controller = new AbortController();
    let resolve: () => void = () => {};
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const call: InFlight = {
      signal: controller.signal,
      isOver: () => calls.get(id)?.call !== call,
      end: () => {
        if (calls.get(id)?.call === call) calls.delete(id);
        resolve();
      },
    };
    calls.set(id, { call, abort: (reason) => controller.abort(reason), ended });
    return call;
  };

  /** Stops the work and frees the id. Somebody else's id, or an old one, has no effect. */
  const cancel = (id: RequestId, reason: ToolError) => {
    const found = calls.get(id);
    calls.delete(id);
    found?.abort(reason);
  };

  const drain = async ({ graceMs, except }: { graceMs: number; except?: InFlight }): Promise<void> => {
    isDraining = true;
    const others = [...calls.values()].filter(({ call }) => call !== except);
    const allEnded = Promise.all(others.map(({ ended }) => ended));
    if (await within(allEnded, graceMs)) return;
    const reason = new ToolError('SERVER_STOPPING', 'The server is stopping; the call was interrupted');
    for (const { abort } of others) abort(reason);
    await within(allEnded, ABORT_MS);
  };

  return { begin, cancel, drain };
}

const busy = (message: string, data: Record<string, unknown>) => new RpcError(RPC.busy, message, data);

/** True if it came to pass in time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
