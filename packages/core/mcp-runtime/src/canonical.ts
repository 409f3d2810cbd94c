import { createHash } from 'node:crypto';

/** One short name for equal arguments, in whatever order their fields came. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, sortedKeys)).digest('base64url');

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
