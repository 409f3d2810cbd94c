import type { TaskRecord } from '@automatosx/mcp-runtime';
import { RPC, type RpcError } from '../protocol/json-rpc.js';

/** How often it is worth asking. */
const POLL_INTERVAL_MS = 1000;

/** A task as a client sees it, without what it came to. */
export const toTask = ({ taskId, status, message, createdAt, updatedAt, ttlMs }: TaskRecord) => ({
  taskId,
  status,
  statusMessage: message,
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(updatedAt).toISOString(),
  ttlMs,
  pollIntervalMs: POLL_INTERVAL_MS,
});

/** All of it, as the inside of an object in JSON: what it came to is JSON already, and may be large. */
export function detailsOf(task: TaskRecord): string {
  const head = JSON.stringify(toTask(task)).slice(1, -1);
  if (task.status === 'input_required') return `${head},"inputRequests":${JSON.stringify(task.questions)}`;
  if (task.status === 'completed') return `${head},"result":${task.outcome}`;
  if (task.status === 'failed') return `${head},"error":${task.outcome ?? interruptionOf(task)}`;
  return head;
}

export const errorJson = ({ code, message, data }: RpcError): string => JSON.stringify({ code, message, data });

/** Its process ended, and could not say so itself. */
const interruptionOf = ({ message }: TaskRecord): string =>
  JSON.stringify({
    code: RPC.internalError,
    message,
    data: { code: 'OPERATION_FAILED', toolCode: 'INTERRUPTED' },
  });
