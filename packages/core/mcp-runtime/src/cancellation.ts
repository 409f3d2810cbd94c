/**
 * Stops a call. Most calls end before anybody asks for their AbortSignal, and making one costs 4 µs, so it is made at
 * the first use.
 */
export interface Cancellation {
  readonly signal: AbortSignal;
  isCancelled(): boolean;
  /** The first reason counts. */
  cancel(reason: unknown): void;
  /** Calls back once, at once if it is cancelled already. Returns the way to take that back. */
  onCancel(listener: (reason: unknown) => void): () => void;
}

export function createCancellation(): Cancellation {
  const listeners = new Set<(reason: unknown) => void>();
  let controller: AbortController | undefined;
  let cancelled: { readonly reason: unknown } | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (cancelled) controller.abort(cancelled.reason);
      }
      return controller.signal;
    },
    isCancelled: () => cancelled !== undefined,
    cancel: (reason) => {
      if (cancelled) return;
      cancelled = { reason };
      controller?.abort(reason);
      for (const listener of listeners) listener(reason);
      listeners.clear();
    },
    onCancel: (listener) => {
      if (cancelled) listener(cancelled.reason);
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
