import { ToolError } from '@automatosx/contracts';
import { type Cancellation, type ClientPort, type ClientRequest, InputRequired } from '@automatosx/mcp-runtime';
import type { ClientRequests } from './client-requests.js';
import { isObject, RPC, RpcError } from './json-rpc.js';

/** A person may have to be found first. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

type Capabilities = Readonly<Record<string, unknown>>;
type Requests = Readonly<Record<string, ClientRequest>>;

/** Asks by requests on the way that the call came, and waits. */
export class HandshakeClient implements ClientPort {
  constructor(
    readonly capabilities: Capabilities,
    private readonly requests: ClientRequests,
    private readonly way: { readonly send: (message: string) => void; readonly cancellation: Cancellation },
  ) {}

  async ask(requests: Requests): Promise<Readonly<Record<string, unknown>>> {
    mustBeAble(this.capabilities, requests);
    const options = { timeoutMs: ANSWER_TIMEOUT_MS, ...this.way };
    const asked = Object.entries(requests).map(async ([key, request]) => [
      key,
      await this.requests.request(request, options).catch((error: Error) => {
        throw new ToolError('SERVICE_UNAVAILABLE', `${request.method} was not answered: ${error.message}`);
      }),
    ]);
    return Object.fromEntries(await Promise.all(asked));
  }
}

/** Ends the call with its questions, unless the client has sent the answers along (2026-07-28). */
export class StatelessClient implements ClientPort {
  constructor(
    readonly capabilities: Capabilities,
    private readonly responses: Readonly<Record<string, unknown>>,
  ) {}

  async ask(requests: Requests): Promise<Readonly<Record<string, unknown>>> {
    const keys = Object.keys(requests);
    const missing = keys.filter((key) => !isAnswer(requests[key] as ClientRequest, ownValue(this.responses, key)));
    if (missing.length === 0) return Object.fromEntries(keys.map((key) => [key, this.responses[key]]));
    const open = Object.fromEntries(missing.map((key) => [key, requests[key] as ClientRequest]));
    mustBeAble(this.capabilities, open);
    throw new InputRequired(open);
  }
}

const ownValue = (values: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** Something of another shape is no answer, and is asked for again. */
export function isAnswer({ method }: ClientRequest, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (method === 'roots/list') return Array.isArray(value.roots);
  if (method === 'elicitation/create') return ACTIONS.has(value.action);
  return typeof value.role === 'string' && value.content !== undefined;
}

const NEEDED = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
} as const;

/** A client is not asked for what it did not say that it can do. */
function mustBeAble(capabilities: Capabilities, requests: Requests): void {
  for (const { method } of Object.values(requests)) {
    const needed = NEEDED[method];
    if (isObject(capabilities[needed])) continue;
    throw new ToolError('SERVICE_UNAVAILABLE', `The client does not offer ${needed}, which this call needs`, {
      context: { requiredCapabilities: { [needed]: {} } },
    });
  }
}

/** The protocol's error for a failure whose reason is what the client cannot do; undefined for any other. */
export function missingCapability(failure: {
  readonly message: string;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}): RpcError | undefined {
  const requiredCapabilities = failure.context?.requiredCapabilities;
  if (requiredCapabilities === undefined) return undefined;
  return new RpcError(RPC.missingCapability, failure.message, { requiredCapabilities });
}
