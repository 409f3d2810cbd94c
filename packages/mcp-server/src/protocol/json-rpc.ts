/** Codes of JSON-RPC, and those of the Model Context Protocol. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Ours: the server cannot take the request now. */
  busy: -32000,
  /** Handshake versions; in later ones it is `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export type RequestId = string | number;

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a method throws to be answered as a JSON-RPC error. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

export const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `members` is the inside of the result object, as JSON text. */
export const resultText = (id: RequestId, members: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;

export const errorText = (id: RequestId | null, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });

export const notificationText = (method: string, params: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

export const requestText = (id: RequestId, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
