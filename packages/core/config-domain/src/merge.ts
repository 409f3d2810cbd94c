import { type Config, ConfigSchema } from '@automatosx/contracts/config';
import { valueAt, withoutValueAt } from './at-path.js';
import { isObject, type Json, type JsonObject } from './json.js';
import { parsePath } from './path.js';

/** Members of `over` win; objects merge deeply, everything else is replaced. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged = Object.entries(over).map(([name, value]): [string, Json] => {
    const below = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, isObject(below) && isObject(value) ? merge(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

/** Takes out what a file may not decide by itself, and tells what that was. */
export function withoutKeys(file: JsonObject, keys: readonly string[]) {
  const found = keys.filter((key) => valueAt(file, parsePath(key)) !== undefined);
  const kept = found.reduce((rest, key) => withoutValueAt(rest, parsePath(key)), file);
  return { kept, found };
}

/** Defaults < global < project. Undefined if the two files are valid alone and not together. */
export const effectiveConfig = (global: JsonObject, project: JsonObject): Config | undefined =>
  ConfigSchema.safeParse(merge(global, project)).data;
