import { ToolError } from '@automatosx/contracts';
import { type Cancellation, createCancellation } from '@automatosx/mcp-runtime';
import { within } from '../within.js';
import { type Admissions, type Caller, createAdmissions } from './admission.js';
import { type RequestId, RPC, RpcError } from './json-rpc.js';

/** Beyond this many requests at once the rest are refused, so that one client cannot take all memory. */
const MAX_IN_FLIGHT = 256;
const RETRY_MS = 100;
/** How long interrupted work may take to notice that it was. */
const ABORT_MS = 250;

/** One request under way. */
export interface InFlight {
  readonly cancellation: Cancellation;
  /** True once it was cancelled or has ended: nothing more is sent for it. */
  isOver(): boolean;
  end(): void;
}

interface Running {
  readonly call: InFlight;
  readonly kind: Kind;
  readonly ended: Promise<void>;
}

const NOBODY: Caller = { principal: '', isLocal: true };

interface Kind {
  readonly isCancellable: boolean;
  /** Lasts until somebody ends it: nobody waits for that. */
  readonly isOpenEnded?: boolean | undefined;
}

interface DrainOptions {
  readonly graceMs: number;
  readonly except?: InFlight;
  /** Why what is left is interrupted, if not because the server is stopping. */
  readonly reason?: ToolError | undefined;
}

/** The requests of one connection that are under way. */
export function createInFlight(admission: Admissions = createAdmissions(), caller: Caller = NOBODY) {
  /** Those that an answer is due for, by their ids. */
  const due = new Map<RequestId, Running>();
  /** Also those that were cancelled and have not ended yet: they still take memory, and still leave a trace. */
  const running = new Set<Running>();
  let isDraining = false;

  const begin = (id: RequestId, kind: Kind): InFlight => {
    const places = kind.isOpenEnded ? admission.lasting : admission.calls;
    if (due.has(id)) throw new RpcError(RPC.invalidRequest, 'A request with this id is under way');
    if (isDraining) throw busy('The server is shutting down', { code: 'SERVICE_UNAVAILABLE' });
    if (running.size >= MAX_IN_FLIGHT || !places.enter(caller)) {
      throw busy('Too many requests at once', { code: 'RATE_LIMITED', retryAfterMs: RETRY_MS });
    }
    let resolve: () => void = () => {};
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const call: InFlight = {
      cancellation: createCancellation(),
      isOver: () => due.get(id) !== entry,
      end: () => {
        if (due.get(id) === entry) due.delete(id);
        if (running.delete(entry)) places.leave(caller);
        resolve();
      },
    };
    const entry: Running = { call, kind, ended };
    due.set(id, entry);
    running.add(entry);
    return call;
  };

  /** Stops the work and frees the id. Somebody else's id, or an old one, has no effect. */
  const cancel = (id: RequestId, reason: ToolError) => {
    const found = due.get(id);
    if (!found?.kind.isCancellable) return;
    due.delete(id);
    found.call.cancellation.cancel(reason);
  };

  const drain = async ({ graceMs, except, reason = stopping() }: DrainOptions): Promise<void> => {
    isDraining = true;
    const others = [...running].filter(({ call }) => call !== except);
    for (const { call, kind } of others) if (kind.isOpenEnded) call.cancellation.cancel(reason);
    const allEnded = Promise.all(others.map(({ ended }) => ended));
    if (await within(graceMs, allEnded)) return;
    for (const { call } of others) call.cancellation.cancel(reason);
    await within(ABORT_MS, allEnded);
  };

  return { begin, cancel, drain };
}

const stopping = () => new ToolError('SERVER_STOPPING', 'The server is stopping; the call was interrupted');

const busy = (message: string, data: Record<string, unknown>) => new RpcError(RPC.busy, message, data);
