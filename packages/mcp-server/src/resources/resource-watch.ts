import type { ResourceSource } from './resource.js';

/** Whose every change shows in the database's version; traces are written past it, and files are no part of it. */
const IN_DATABASE = /^(?:memory|sessions|artifact):/;

/** How to find out whether a resource of any of the sources has changed. */
export const resourceWatch = (sources: readonly ResourceSource[], databaseVersion: () => object) => ({
  stampOf: (uri: string, principal: string): Promise<string> | undefined => {
    for (const source of sources) {
      const stamp = source.stamp(uri, principal);
      if (stamp) return stamp;
    }
    return undefined;
  },
  version: databaseVersion,
  isVersioned: (uri: string): boolean => IN_DATABASE.test(uri),
});
