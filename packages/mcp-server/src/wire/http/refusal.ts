import type { ServerResponse } from 'node:http';
import type { Log } from '../../log.js';
import { errorText, type RequestId, RPC, RpcError } from '../../protocol/json-rpc.js';

interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly id?: RequestId | null;
}

/** What is thrown to refuse an HTTP request: a status, and a JSON-RPC error as its body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: RpcError,
    readonly options: RefusalOptions = {},
  ) {
    super(error.message);
  }

  /** Of a request that is none, or comes to the wrong place. */
  static of(status: number, message: string, options: RefusalOptions = {}): Refusal {
    return new Refusal(status, new RpcError(RPC.invalidRequest, message, options.data), options);
  }

  /** The same as the answer to a request, whose id is known by now. */
  about(id: RequestId | null): Refusal {
    return new Refusal(this.status, this.error, { ...this.options, id });
  }

  static stopping(): Refusal {
    const error = new RpcError(RPC.busy, 'The server is shutting down', { code: 'SERVICE_UNAVAILABLE' });
    return new Refusal(503, error, { headers: { 'retry-after': '5', connection: 'close' } });
  }

  static bug(): Refusal {
    return new Refusal(500, new RpcError(RPC.internalError, 'Internal error'));
  }

  static tooMany(message: string, retryAfterMs: number): Refusal {
    const error = new RpcError(RPC.busy, message, { code: 'RATE_LIMITED', retryAfterMs });
    return new Refusal(429, error, { headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } });
  }
}

/** The system takes this much at once; for what is longer, the client has to read. */
const HARMLESS_LENGTH = 65_536;
/** A client that does not take its answer for this long is cut off. */
const SEND_TIMEOUT_MS = 30_000;

interface JsonResponse {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function sendJson(response: ServerResponse, { status, text, headers }: JsonResponse): void {
  response.writeHead(status, headOf(text, headers));
  response.end(text);
  const { socket } = response;
  if (text.length < HARMLESS_LENGTH || !socket) return;
  const timer = setTimeout(() => socket.destroy(), SEND_TIMEOUT_MS).unref();
  response.once('close', () => clearTimeout(timer));
}

export function headOf(text: string, headers?: Readonly<Record<string, string>>): Record<string, string | number> {
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  // Most answers have no more, and a spread costs 2 µs.
  return headers ? { ...head, ...headers } : head;
}

export const toJson = ({ status, error, options }: Refusal): JsonResponse => ({
  status,
  text: errorText(options.id ?? null, error),
  headers: options.headers,
});

export const sendRefusal = (response: ServerResponse, refusal: Refusal): void => sendJson(response, toJson(refusal));

/** What was not foreseen is a bug: it is logged, and the client learns no more than that. */
export function toRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  log('error', 'An HTTP request failed in a way the server did not foresee', { error });
  return Refusal.bug();
}
