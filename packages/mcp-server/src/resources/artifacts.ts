import type { ArtifactStore } from '@automatosx/mcp-runtime';
import type { ResourceSource } from './resource.js';

/** What is read at a time unless the URI says otherwise, in characters. */
const DEFAULT_LENGTH = 64 * 1024 * 1024;

const MIME_TYPE = 'application/json';

export const artifactResources = (artifacts: ArtifactStore): ResourceSource => ({
  resources: [],
  templates: [
    {
      uriTemplate: 'artifact://{id}{?offset,length}',
      name: 'artifact',
      title: 'Whole answer',
      description: 'The whole of an answer that was too large to send, for a day; a part of it by offset and length',
      mimeType: MIME_TYPE,
    },
  ],
  read: async (uri, { principal }) => {
    const wanted = parse(uri);
    const part = wanted && (await artifacts.read(principal, wanted.id, wanted));
    return part && [{ uri, mimeType: MIME_TYPE, text: part.text }];
  },
  // An artifact never changes.
  stamp: (uri) => (parse(uri) ? Promise.resolve('') : undefined),
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
