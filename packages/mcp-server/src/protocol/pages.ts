import { decodeCursor, encodeCursor } from '@automatosx/contracts';
import { RPC, RpcError } from './json-rpc.js';

interface PageRequest {
  /** Names the list, so that a cursor of another one is refused. */
  readonly list: string;
  readonly params: { readonly cursor?: string | undefined } | undefined;
  readonly size: number;
}

/** One page of a list of the protocol. A cursor that we did not give out is -32602. */
export function pageOf<T>(
  items: readonly T[],
  { list, params, size }: PageRequest,
): { items: readonly T[]; nextCursor?: string } {
  const start = params?.cursor === undefined ? 0 : startFrom(list, params.cursor);
  const end = start + size;
  return {
    items: items.slice(start, end),
    ...(end < items.length && { nextCursor: encodeCursor(list, String(end)) }),
  };
}

function startFrom(list: string, cursor: string): number {
  try {
    const start = Number(decodeCursor(list, cursor));
    if (Number.isSafeInteger(start) && start >= 0) return start;
  } catch {
    // Told below, like every other cursor that is not ours.
  }
  throw new RpcError(RPC.invalidParams, 'This cursor is not one that the server gave out');
}
