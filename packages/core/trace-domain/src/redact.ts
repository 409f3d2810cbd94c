import { createAssignments } from './assignments.js';
import { hasRandomRun, replaceRandomRuns } from './entropy.js';
import { type RedactionRules, redactedCopy } from './redacted-copy.js';
import { MAY_HOLD_SHAPE, REDACTED, redactShapes, secretNames } from './secret-shapes.js';

export interface Redactor {
  /** JSON of the value without its secrets. What is longer than `maxBytes` (16 KiB) is cut and says so. Never throws. */
  json(value: unknown, maxBytes?: number): string;
  /** The same for a value whose JSON is at hand, which saves writing it again. */
  jsonText(text: string, value: unknown, maxBytes?: number): string;
  /** An error's message or a line of a log, without its secrets. */
  text(text: string): string;
  /** A plain copy without secrets, or the value itself where there are none. */
  value<T>(value: T): T;
}

const MAX_BYTES = 16_384;
const MAX_BYTES_PER_UNIT = 3;
/** What is cut says so at the cost of some bytes. */
const ROOM_FOR_NOTES = 100;
const ALL_CUT = '"… [cut]"';
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
/** JSON this deep can still be written again without overflowing the stack. */
const HARMLESS_DEPTH = 1000;

const fits = (text: string, maxBytes: number): boolean =>
  text.length * MAX_BYTES_PER_UNIT <= maxBytes || Buffer.byteLength(text) <= maxBytes;

/** True if it has brackets enough to be deep; where they only stand side by side, the slow path is taken for nothing. */
function mayBeDeep(json: string): boolean {
  if (json.length < 2 * HARMLESS_DEPTH) return false;
  let opened = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json.charCodeAt(index);
    if (character === OPENING_BRACKET || character === OPENING_BRACE) opened++;
  }
  return opened > HARMLESS_DEPTH;
}

/** The value's JSON; nothing where it has none (a function), cannot be read, or is too long for a string. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The object or array that a text spells out in JSON, if it does. */
function parseContainer(text: string): object | undefined {
  if (!/^\s{0,100}[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first that is short enough of ever smaller copies: what letters beyond ASCII and escapes cost shows only at the end. */
function cutJson(value: unknown, rules: RedactionRules, maxBytes: number): string {
  let budget = Math.max(maxBytes - ROOM_FOR_NOTES, maxBytes / 2);
  for (let tries = 0; tries < 8; tries++) {
    const json = stringify(redactedCopy(value, rules, budget).copy) ?? 'null';
    const sizeBytes = Buffer.byteLength(json);
    if (sizeBytes <= maxBytes) return json;
    budget *= Math.min(0.75, maxBytes / sizeBytes);
  }
  return fits(ALL_CUT, maxBytes) ? ALL_CUT : 'null';
}

/** Knows secrets by the names of their fields (`extraNames` besides the usual ones), by their shapes, and by their randomness. */
export const createRedactor = (extraNames: readonly string[]): Redactor => {
  const names = secretNames(extraNames);
  const secretName = new RegExp(names, 'i');
  const redactAssignments = createAssignments(names);

  /** Most payloads end here, within a microsecond or two. What it calls clean, the rules below would not change. */
  const isClean = (text: string) => !(secretName.test(text) || MAY_HOLD_SHAPE.test(text) || hasRandomRun(text));

  const redactText = (text: string): string => {
    if (isClean(text)) return text;
    try {
      const nested = parseContainer(text);
      if (nested === undefined) return replaceRandomRuns(redactAssignments(redactShapes(text)), REDACTED);
      const { copy, changed } = redactedCopy(nested, rules);
      return changed ? JSON.stringify(copy) : text;
    } catch {
      // A word of tens of megabytes overflows the stack of a regular expression: what cannot be checked is not shown.
      return REDACTED;
    }
  };

  const rules: RedactionRules = { isSecretName: (text) => secretName.test(text), text: redactText };

  const rewrite = (copy: unknown, value: unknown, maxBytes: number): string => {
    const json = stringify(copy) ?? 'null';
    return fits(json, maxBytes) ? json : cutJson(value, rules, maxBytes);
  };

  const jsonText = (text: string, value: unknown, maxBytes = MAX_BYTES): string => {
    if (!fits(text, maxBytes)) return cutJson(value, rules, maxBytes);
    if (isClean(text) && !mayBeDeep(text)) return text;
    const { copy, changed } = redactedCopy(value, rules);
    return changed ? rewrite(copy, value, maxBytes) : text;
  };

  return {
    json: (value, maxBytes = MAX_BYTES) => {
      const text = stringify(value);
      if (text !== undefined) return jsonText(text, value, maxBytes);
      return rewrite(redactedCopy(value, rules).copy, value, maxBytes);
    },
    jsonText,
    text: redactText,
    value: <T>(value: T): T => {
      const { copy, changed } = redactedCopy(value, rules);
      return changed ? (copy as T) : value;
    },
  };
};
