import type { IncomingMessage } from 'node:http';
import { excessOf } from '../../protocol/excess.js';
import { RPC, RpcError } from '../../protocol/json-rpc.js';
import { Refusal } from './refusal.js';

export interface Posted {
  readonly message: unknown;
  readonly sizeBytes: number;
}

/** Reads the body as JSON. Its type and size are judged before it is read, and its size again while it is. */
export async function readPosted(request: IncomingMessage, maxBytes: number): Promise<Posted> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  const isJson = /^application\/json\s*(?:;|$)/i.test(type);
  if (!isJson || (encoding !== undefined && encoding !== 'identity')) {
    throw Refusal.of(415, 'The body must be application/json, and not encoded');
  }
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readAll(request, maxBytes);
  return { message: parse(bytes), sizeBytes: bytes.length };
}

const tooLarge = (maxBytes: number) =>
  Refusal.of(413, `The request has more than ${maxBytes} bytes`, { headers: { connection: 'close' } });

/** By events: an async iterator costs every call more than all of its parsing. */
const readAll = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes <= maxBytes) return;
      request.pause();
      chunks.length = 0;
      reject(tooLarge(maxBytes));
    });
    const breakOff = () => reject(Refusal.of(400, 'The request broke off'));
    request.once('error', breakOff);
    request.once('close', () => {
      if (!request.complete) breakOff();
    });
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  });

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    const text = decoder.decode(bytes);
    const excess = excessOf(text);
    if (excess) throw Refusal.of(400, excess.reason, { id: excess.id });
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, new RpcError(RPC.parseError, 'The body is not valid JSON in UTF-8'));
  }
}
