import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../../protocol/connection-options.js';
import { endOfString } from '../../protocol/excess.js';
import { RPC } from '../../protocol/json-rpc.js';
import type { MessageStream } from './message-stream.js';
import { Refusal, sendJson } from './refusal.js';

/** A request that takes longer is answered as a stream, so that whoever waits sees that something is there. */
const PATIENCE_MS = 5000;

interface ExchangeOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Makes the stream, where one is needed, and attaches the response to it. */
  readonly openStream: () => MessageStream;
  /** Does the work; what it causes goes to `reply`. */
  readonly work: (reply: Reply) => Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where messages go that come before the end, for a client that takes no stream here. */
  readonly elsewhere?: (message: string) => void;
  /** The status for an error of this code. */
  readonly statusOf: (code: number) => number;
}

/** Answers one POST: with JSON where one message is all there is, else with a stream. Gives the code of its error, or 0. */
export async function exchange(options: ExchangeOptions): Promise<number> {
  const { request, response, headers, work, statusOf } = options;
  const accepted = acceptedOf(request);
  let last: string | undefined;
  let stream: MessageStream | undefined;
  const startStreaming = () => {
    if (stream || !accepted.stream || response.headersSent || response.destroyed) return;
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    stream = options.openStream();
  };
  const timer = setTimeout(startStreaming, PATIENCE_MS);
  await work((message, isLast) => {
    if (!isLast || !accepted.json) startStreaming();
    if (stream) stream.push(message);
    else if (!isLast) options.elsewhere?.(message);
    if (isLast) last = message;
  });
  clearTimeout(timer);
  const code = last === undefined ? 0 : errorCodeOf(last);
  if (stream) stream.end();
  else if (last === undefined) response.writeHead(202, { ...headers }).end();
  else if (code === RPC.busy) sendJson(response, { ...busy(last), text: last });
  else sendJson(response, { status: statusOf(code), text: last, headers });
  return code;
}

const USUAL = 'application/json, text/event-stream';
const EITHER = { json: true, stream: true };

/** What the client takes; throws where that is neither of what there is. */
export function acceptedOf({ headers }: IncomingMessage): { json: boolean; stream: boolean } {
  if (headers.accept === USUAL) return EITHER;
  const accept = (headers.accept ?? '*/*').toLowerCase();
  const isAny = accept.includes('*/*');
  const accepted = {
    json: isAny || accept.includes('application/json') || accept.includes('application/*'),
    stream: isAny || accept.includes('text/event-stream') || accept.includes('text/*'),
  };
  if (accepted.json || accepted.stream) return accepted;
  throw Refusal.of(406, 'Accept must name application/json or text/event-stream');
}

const BEFORE_ID = '{"jsonrpc":"2.0","id":'.length;

/** 0 where the message is no error. The id may be as long as a request, so no expression runs over it. */
function errorCodeOf(message: string): number {
  // The answers of a batch have their errors in them.
  if (message[0] !== '{') return 0;
  const isText = message[BEFORE_ID] === '"';
  const end = isText ? endOfString(message, BEFORE_ID) + 1 : message.indexOf(',', BEFORE_ID);
  return Number(/^,"error":\{"code":(-?\d+)/.exec(message.slice(end, end + 40))?.[1] ?? 0);
}

/** Too much at once, or the server cannot now: both are worth another try. */
const busy = (message: string) => ({
  status: message.includes('"SERVICE_UNAVAILABLE"') ? 503 : 429,
  headers: { 'retry-after': '1' },
});

/** In the session era an error travels with 200, but for a message that is none. */
export const sessionStatus = (code: number): number =>
  code === RPC.parseError || code === RPC.invalidRequest ? 400 : 200;

const OF_ENVELOPE: readonly number[] = [
  RPC.parseError,
  RPC.invalidRequest,
  RPC.unsupportedVersion,
  RPC.headerMismatch,
  RPC.missingCapability,
];

/** 2026-07-28 gives errors of the envelope a status; what a method refuses travels with 200. */
export function statelessStatus(code: number): number {
  if (code === RPC.methodNotFound) return 404;
  return OF_ENVELOPE.includes(code) ? 400 : 200;
}
