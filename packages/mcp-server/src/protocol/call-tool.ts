import { randomUUID } from 'node:crypto';
import { META, type ProtocolVersion } from '@automatosx/contracts';
import type { Progress, ToolAnswer } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import type { Catalog } from '../catalog.js';
import { isObject, isRequestId, RPC, RpcError } from './json-rpc.js';
import type { Method, RequestContext } from './methods.js';
import { hasProgressMessage, hasStructuredContent } from './versions.js';

type Meta = Readonly<Record<string, unknown>>;

const MAX_META_LENGTH = 500;

// `arguments` is passed on as it came: the layers look at it, and a copy would cost and could lose keys.
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, { error: 'Expected an object' }).optional(),
  _meta: z.custom<Meta>(isObject, { error: 'Expected an object' }).optional(),
});

export const callTool = (catalog: Catalog): Method<z.infer<typeof callParams>> => ({
  eras: ['handshake', 'stateless'],
  params: callParams,
  handle: async ({ name, arguments: input = {}, _meta: meta = {} }, request) => {
    if (!catalog.has(name)) {
      const toolName = name.slice(0, 200);
      throw new RpcError(RPC.invalidParams, `Unknown tool: ${toolName}`, {
        toolName,
        details: 'tools/list names every tool there is',
      });
    }
    const { principal, isLocal, cancellation, sizeBytes } = request;
    const workspace = request.workspace();
    const answer = await catalog.call(name, input, {
      principal,
      isLocal,
      workspace: typeof workspace === 'string' ? workspace : await workspace,
      sessionId: textOf(meta, META.sessionId),
      idempotencyKey: textOf(meta, META.idempotencyKey),
      correlationId: traceOf(meta.traceparent) ?? randomUUID(),
      requestBytes: sizeBytes,
      cancellation,
      progress: progressFor(meta.progressToken, request),
    });
    return toResult(answer, request.version);
  },
});

/** A key that cannot be honoured is refused: a write that is thought to be protected must not run unprotected. */
function textOf(meta: Meta, name: string): string | undefined {
  const value = meta[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_META_LENGTH) return value;
  throw new RpcError(RPC.invalidParams, `_meta["${name}"] must be a text of 1 to ${MAX_META_LENGTH} characters`);
}

/** The trace id in a W3C `traceparent`. */
const traceOf = (traceparent: unknown): string | undefined =>
  typeof traceparent === 'string'
    ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent)?.[1]
    : undefined;

const PROGRESS_INTERVAL_MS = 20;

/** Sends progress that grows, not faster than a person can see, and always the last. */
function progressFor(token: unknown, { notify, version }: RequestContext): (update: Progress) => void {
  if (!isRequestId(token)) return () => {};
  let last = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    const now = performance.now();
    const isDue = now - sentAt >= PROGRESS_INTERVAL_MS || progress === total;
    if (progress <= last || !isDue) return;
    last = progress;
    sentAt = now;
    const text = hasProgressMessage(version) ? message : undefined;
    notify('notifications/progress', { progressToken: token, progress, total, message: text });
  };
}

/** The inside of the result, as JSON text: the answer was serialised once, and is put in twice. */
function toResult({ envelope, text }: ToolAnswer, version: ProtocolVersion): string {
  const content = [`{"type":"text","text":${JSON.stringify(text)}}`];
  if (!hasStructuredContent(version)) return `"content":[${content}]${isError(envelope)}`;
  if (envelope.success && envelope.metadata.artifact !== undefined) content.push(linkTo(envelope.metadata.artifact));
  return `"content":[${content}],"structuredContent":${text}${isError(envelope)}`;
}

const isError = ({ success }: ToolAnswer['envelope']) => (success ? '' : ',"isError":true');

const linkTo = (uri: string): string =>
  JSON.stringify({
    type: 'resource_link',
    uri,
    name: 'The whole answer',
    description: 'The answer was too large to send; this is all of it',
    mimeType: 'application/json',
    annotations: { audience: ['assistant'], priority: 0.8 },
  });
