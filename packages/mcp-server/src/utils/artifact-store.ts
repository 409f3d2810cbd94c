import type { ArtifactPart, ArtifactStore, Cache } from '@automatosx/mcp-runtime';

/** Larger parts are read from the store each time. */
const MAX_KEPT_LENGTH = 1024 * 1024;

/** Artifacts that are read part by part, or again and again, come out of the bounded cache. An artifact never changes. */
export const createArtifactStore = (store: ArtifactStore, cache: Cache): ArtifactStore => ({
  ...store,
  read: async (principal, id, range) => {
    const key = `artifact:${JSON.stringify([principal, id, range.offset, range.length])}`;
    const kept = cache.get(key);
    if (kept.hit) return kept.value as ArtifactPart;
    const part = await store.read(principal, id, range);
    if (part && part.text.length <= MAX_KEPT_LENGTH) cache.set(key, part);
    return part;
  },
});
