import { randomUUID } from 'node:crypto';
import { META, type ProtocolVersion } from '@automatosx/contracts';
import { InputRequired, type Progress, type ToolAnswer } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import { knowsTasks } from '../tasks/extension.js';
import type { Way } from '../tasks/running-task.js';
import { toTask } from '../tasks/task-result.js';
import { missingCapability } from './client-port.js';
import { isObject, isRequestId, RPC, RpcError } from './json-rpc.js';
import type { Method, Result, Services } from './method.js';
import type { RequestContext } from './request.js';
import { hasProgressMessage, hasStructuredContent } from './versions.js';

type Meta = Readonly<Record<string, unknown>>;

const MAX_META_LENGTH = 500;

// `arguments` is passed on as it came: the layers look at it, and a copy would cost and could lose keys.
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.custom<Record<string, unknown>>(isObject, { error: 'Expected an object' }).optional(),
  _meta: z.custom<Meta>(isObject, { error: 'Expected an object' }).optional(),
});

type CallParams = z.infer<typeof callParams>;

export const callTool = ({ catalog, tasks }: Pick<Services, 'catalog' | 'tasks'>): Method<CallParams> => ({
  eras: ['handshake', 'stateless'],
  params: callParams,
  asksClient: true,
  handle: async ({ name, arguments: input = {}, _meta: meta = {} }, request) => {
    if (!catalog.has(name)) throw unknownTool(name);
    const { principal, isLocal, sizeBytes: requestBytes, version } = request;
    const sessionId = textOf(meta, META.sessionId);
    const idempotencyKey = textOf(meta, META.idempotencyKey);
    const correlationId = traceOf(meta.traceparent) ?? randomUUID();
    const found = request.workspace();
    const workspace = typeof found === 'string' ? found : await found;
    const call = ({ cancellation, progress, client, log }: Way) =>
      catalog.call(name, input, {
        principal,
        isLocal,
        workspace,
        sessionId,
        idempotencyKey,
        correlationId,
        requestBytes,
        cancellation,
        progress,
        client,
        log,
      });
    if (request.era === 'stateless' && catalog.isLong(name) && knowsTasks(request.client.capabilities)) {
      const task = await tasks.begin(request, async (way) => toOutcome(await call(way), version));
      return { resultType: 'task', ...toTask(task) };
    }
    const { cancellation, client, log } = request;
    const answer = await call({ cancellation, client, log, progress: progressFor(meta.progressToken, request) });
    if (answer.inputRequired) throw new InputRequired(answer.inputRequired);
    tell(request, name, answer);
    if (request.era === 'stateless') mustBeAble(answer);
    return toResult(answer, version);
  },
});

/** What a client that listens hears of a call: that it ended, was cut, or failed in a way that is our fault. */
function tell({ log }: RequestContext, tool: string, { envelope }: ToolAnswer): void {
  const { durationMs } = envelope.metadata;
  if (!envelope.success) {
    const { code, message } = envelope.error;
    log(code === 'INTERNAL_ERROR' ? 'error' : 'debug', { tool, durationMs, code, message });
  } else if (envelope.metadata.truncated) log('notice', { tool, durationMs, artifact: envelope.metadata.artifact });
  else log('debug', { tool, durationMs });
}

/** What the client would have to be able to do is an error of the protocol there (2026-07-28). */
function mustBeAble({ envelope }: ToolAnswer): void {
  const missing = envelope.success ? undefined : missingCapability(envelope.error);
  if (missing) throw missing;
}

function unknownTool(name: string): RpcError {
  const toolName = name.slice(0, 200);
  const details = 'tools/list names every tool there is';
  return new RpcError(RPC.invalidParams, `Unknown tool: ${toolName}`, { toolName, details });
}

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
function toResult({ envelope, text, relayed }: ToolAnswer, version: ProtocolVersion): Result {
  if (relayed) return relayed;
  const content = [`{"type":"text","text":${JSON.stringify(text)}}`];
  if (!hasStructuredContent(version)) return `"content":[${content}]${isError(envelope)}`;
  if (envelope.success && envelope.metadata.artifact !== undefined) content.push(linkTo(envelope.metadata.artifact));
  return `"content":[${content}],"structuredContent":${text}${isError(envelope)}`;
}

/** What a task keeps of the answer. */
function toOutcome(answer: ToolAnswer, version: ProtocolVersion) {
  const result = toResult(answer, version);
  const json = typeof result === 'string' ? `{${result}}` : JSON.stringify(result);
  return { isError: !answer.envelope.success, json };
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
