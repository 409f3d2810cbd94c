import type { Log } from '../../log.js';

/** More than this is no document of an issuer. */
const MAX_BYTES = 256 * 1024;

/** An issuer that failed is left alone for so long; who needs it meanwhile is told at once. */
const PAUSE_MS = 5000;

/** The issuer could not be asked, which says nothing about the token. */
export class IssuerUnavailable extends Error {}

export interface IssuerAccess {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly log: Log;
}

/** Does what asks an issuer, and after a failure nothing for a while: strangers could make us ask without end. */
export function createPause(issuer: string, log: Log) {
  let isPausing = false;
  return async <T>(ask: () => Promise<T>): Promise<T> => {
    if (isPausing) throw new IssuerUnavailable(`${issuer} failed a moment ago`);
    try {
      return await ask();
    } catch (error) {
      isPausing = true;
      setTimeout(() => {
        isPausing = false;
      }, PAUSE_MS).unref();
      log('warn', 'The keys of an OAuth issuer could not be had', { issuer, error });
      throw new IssuerUnavailable(`${issuer} could not be asked`, { cause: error });
    }
  };
}

/** A JSON document from exactly this address. Throws where there is none, or too much of it. */
export async function fetchJson(url: string, signal: AbortSignal, { fetch }: Pick<IssuerAccess, 'fetch'>) {
  const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} answered with ${response.status}`);
  }
  return JSON.parse(await textOf(response, url)) as unknown;
}

async function textOf({ body }: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
