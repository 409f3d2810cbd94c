import { ToolError } from '@automatosx/contracts';
import { isIndex, isObject, type Json, type JsonObject } from './json.js';
import { formatPath } from './path.js';

type Path = readonly string[];

/** What stands at a path, looking at own members only. */
export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(childOf, value);

/** A copy with `value` at the path; objects on the way are made where they are missing. */
export function withValueAt(root: JsonObject, path: Path, value: Json): JsonObject {
  return replaceAt(root, path, { value, path }) as JsonObject;
}

/** A copy without what stands at the path, and without the objects that this leaves empty. */
export function withoutValueAt(root: JsonObject, path: Path): JsonObject {
  return (removeAt(root, path) ?? {}) as JsonObject;
}

function childOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return isIndex(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function replaceAt(at: Json | undefined, [name, ...rest]: Path, target: { value: Json; path: Path }): Json {
  if (name === undefined) return target.value;
  const child = replaceAt(childOf(at, name), rest, target);
  if (!Array.isArray(at)) return { ...(isObject(at) ? at : {}), [name]: child };

  // A far place would make a huge array of holes.
  if (!isIndex(name) || Number(name) > at.length) {
    throw new ToolError(
      'CONFIG_INVALID_VALUE',
      `${formatPath(target.path)} is not a place in the list, which has ${at.length}`,
    );
  }
  return [...at.slice(0, Number(name)), child, ...at.slice(Number(name) + 1)];
}

function removeAt(at: Json, [name, ...rest]: Path): Json | undefined {
  if (name === undefined) return undefined;
  const child = childOf(at, name);
  if (child === undefined) return at;
  const left = removeAt(child, rest);
  if (left === child) return at;
  if (Array.isArray(at)) return at.toSpliced(Number(name), 1, ...(left === undefined ? [] : [left]));

  const others = Object.entries(at as JsonObject).flatMap(([key, value]): [string, Json][] => {
    if (key !== name) return [[key, value]];
    return left === undefined ? [] : [[key, left]];
  });
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
