import { isRequestId, type Message, type RequestId, RPC, RpcError, requestText } from './json-rpc.js';

/** What the server asks of the client, where the era has that. */
export interface ClientRequests {
  /** Rejects if the client refuses or does not answer in time. */
  request(method: string, timeoutMs: number): Promise<unknown>;
  /** Takes the client's answer; one that nobody waits for is dropped. */
  settle(message: Message): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export function createClientRequests(send: (message: string) => void): ClientRequests {
  const waiting = new Map<RequestId, Waiting>();
  let count = 0;
  return {
    request: (method, timeoutMs) =>
      new Promise((resolve, reject) => {
        const id = `automatosx-${++count}`;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new RpcError(RPC.internalError, `The client did not answer ${method} within ${timeoutMs} ms`));
        }, timeoutMs);
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            waiting.delete(id);
            settle(value);
          };
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
        send(requestText(id, method));
      }),
    settle: ({ id, result, error }) => {
      const asked = isRequestId(id) ? waiting.get(id) : undefined;
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new RpcError(RPC.internalError, 'The client refused', error));
    },
  };
}
