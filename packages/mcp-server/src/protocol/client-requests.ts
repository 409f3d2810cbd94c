import type { Cancellation, ClientRequest } from '@automatosx/mcp-runtime';
import { isRequestId, type Message, notificationText, type RequestId, RPC, RpcError, requestText } from './json-rpc.js';

/** What the server asks of the client, where the era has that. */
export interface ClientRequests {
  /** Rejects if the client refuses or does not answer in time. */
  request(asked: ClientRequest, options: AskOptions): Promise<unknown>;
  /** Takes the client's answer; one that nobody waits for is dropped. */
  settle(message: Message): void;
}

interface AskOptions {
  readonly timeoutMs: number;
  /** Where the question goes, if not to the connection as a whole. */
  readonly send?: (message: string) => void;
  /** Takes the question back. */
  readonly cancellation?: Cancellation;
}

const CANCELLED = 'The call that asked was cancelled';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export function createClientRequests(send: (message: string) => void): ClientRequests {
  const waiting = new Map<RequestId, Waiting>();
  let count = 0;
  return {
    request: ({ method, params }, { timeoutMs, send: sendThere = send, cancellation }) =>
      new Promise((resolve, reject) => {
        const id = `automatosx-${++count}`;
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            forget?.();
            waiting.delete(id);
            settle(value);
          };
        const giveUp = (reason: string) => {
          settled(reject)(new RpcError(RPC.internalError, reason));
          sendThere(notificationText('notifications/cancelled', { requestId: id, reason }));
        };
        if (cancellation?.isCancelled()) return reject(new RpcError(RPC.internalError, CANCELLED));
        const timer = setTimeout(() => giveUp(`The client did not answer ${method} within ${timeoutMs} ms`), timeoutMs);
        const forget = cancellation?.onCancel(() => giveUp(CANCELLED));
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
        sendThere(requestText(id, method, params));
      }),
    settle: ({ id, result, error }) => {
      const asked = isRequestId(id) ? waiting.get(id) : undefined;
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new RpcError(RPC.internalError, 'The client refused', error));
    },
  };
}
