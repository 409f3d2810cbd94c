export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for `0`, `1`, `12`: a place in an array. */
export const isIndex = (name: string): boolean => /^(?:0|[1-9]\d*)$/.test(name);

/** Names that reach into an object's prototype in careless code; no setting is called like this. */
export const isInert = (name: string): boolean => ['__proto__', 'constructor', 'prototype'].includes(name);

/** The same value with every string passed through `change`. */
export function mapStrings(
  value: Json,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[] = [],
): Json {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapStrings(item, change, [...path, String(index)]));
  if (!isObject(value)) return value;
  // fromEntries defines own properties, so a member called __proto__ stays a plain member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapStrings(member, change, [...path, name])]),
  );
}

/** The paths of all members and items, outer ones first. */
export function* pathsOf(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield [...path, name];
    yield* pathsOf(member, [...path, name]);
  }
}
