import { PROTECTED_PATHS } from '@automatosx/contracts/config';
import { type JsonObject, mapStrings } from './json.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that a setting names and the environment does not have. */
export interface UnsetVariable {
  readonly name: string;
  readonly path: readonly string[];
}

const VARIABLE = /\$\{([A-Za-z_]\w*)\}/g;

/**
 * Replaces `${VAR}` in the settings that no tool call and no untrusted file can write; elsewhere it would show the
 * environment to whoever writes it into a text that answers repeat. What is unset stays as written, and is named.
 */
export function expand(settings: JsonObject, environment: Environment) {
  const unset: UnsetVariable[] = [];
  const expanded = mapStrings(settings, (text, path) => {
    if (!isProtected(path)) return text;
    return text.replace(VARIABLE, (written, name: string) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined) unset.push({ name, path });
      return value ?? written;
    });
  });
  return { settings: expanded as JsonObject, unset };
}

const isProtected = (path: readonly string[]) =>
  PROTECTED_PATHS.some((start) => start.split('.').every((name, index) => path[index] === name));
