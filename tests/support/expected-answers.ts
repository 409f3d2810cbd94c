import { isUtf8 } from 'node:buffer';

/** An answer that is due: under this id, and with this code where the id could not be read. */
export interface Due {
  readonly id: string | number | null;
  readonly code?: number;
}

const unreadable: readonly Due[] = [{ id: null, code: -32700 }];
const invalid: readonly Due[] = [{ id: null, code: -32600 }];

/** What a 2025-03-26 server owes for a line and its end, as JSON-RPC and ruling 6 say. */
export function dueFor(line: Buffer): readonly Due[] {
  if (!isUtf8(line)) return unreadable;
  const content = line.toString().replace(/\r?\n+$/, '');
  if (content === '') return [];
  try {
    const message = JSON.parse(content.replace(/^\ufeff/, ''));
    if (!Array.isArray(message)) return dueForMessage(message);
    return message.length === 0 ? invalid : message.flatMap(dueForMessage);
  } catch {
    return unreadable;
  }
}

function dueForMessage(message: unknown): readonly Due[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return invalid;
  const { jsonrpc, id, method } = message as Record<string, unknown>;
  const isResponse = method === undefined && ('result' in message || 'error' in message);
  const isNotification = typeof method === 'string' && !('id' in message);
  if (jsonrpc === '2.0' && (isResponse || isNotification)) return [];
  return typeof id === 'string' || Number.isSafeInteger(id) ? [{ id: id as string }] : invalid;
}

/** For comparing: 1 and "1" are two ids. */
export const labelOf = ({ id, code }: Due): string => (id === null ? `null ${code}` : JSON.stringify(id));
