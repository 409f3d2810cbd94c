import type { ArtifactStore } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import { RpcError } from '../protocol/json-rpc.js';
import type { Method } from '../protocol/methods.js';
import { resourceNotFoundCode } from '../protocol/versions.js';

/** What is read at a time unless the URI says otherwise, in characters. */
const DEFAULT_LENGTH = 64 * 1024 * 1024;

export const resourceTemplates = [
  {
    uriTemplate: 'artifact://{id}{?offset,length}',
    name: 'artifact',
    description: 'The whole of an answer that was too large to send, for a day; a part of it by offset and length',
    mimeType: 'application/json',
  },
];

const readParams = z.looseObject({ uri: z.string().max(2000) });

export const readArtifact = (artifacts: ArtifactStore): Method<z.infer<typeof readParams>> => ({
  eras: ['handshake', 'stateless'],
  params: readParams,
  cacheable: { ttlMs: 3_600_000, cacheScope: 'private' },
  handle: async ({ uri }, { principal, version }) => {
    const wanted = parse(uri);
    const part = wanted && (await artifacts.read(principal, wanted.id, wanted));
    if (!part) throw new RpcError(resourceNotFoundCode(version), 'Resource not found', { uri });
    return { contents: [{ uri, mimeType: 'application/json', text: part.text }] };
  },
});

/** Undefined where it is not the URI of an artifact. */
function parse(uri: string): { id: string; offset: number; length: number } | undefined {
  const match = /^artifact:\/\/([0-9a-f-]{36})(?:\?(.*))?$/.exec(uri);
  if (!match?.[1]) return undefined;
  const query = new URLSearchParams(match[2]);
  const offset = Number(query.get('offset') ?? 0);
  const length = Number(query.get('length') ?? DEFAULT_LENGTH);
  const isValid = [offset, length].every((number) => Number.isSafeInteger(number) && number >= 0);
  return isValid ? { id: match[1], offset, length } : undefined;
}
