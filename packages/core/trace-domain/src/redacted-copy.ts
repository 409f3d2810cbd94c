import { REDACTED } from './secret-shapes.js';

export interface RedactionRules {
  readonly isSecretName: (name: string) => boolean;
  /** The text without its secrets; the same text where there are none. */
  readonly text: (text: string) => string;
}

/** How much of a container and of a string is kept. */
export interface CopyLimits {
  readonly items: number;
  readonly characters: number;
}

export const WHOLE: CopyLimits = { items: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** Deeper than anything we accept, and far from what overflows the stack when it is written as JSON again. */
const MAX_DEPTH = 100;
/** Objects that refer to each other have more paths through them than anyone can walk. */
const MAX_NODES = 100_000;

const UNREADABLE = '[unreadable]';
const cutNote = (what: string) => `… [cut: ${what}]`;

/** `{name: "API_TOKEN", value: "…"}`: the name of a secret can be a value itself. */
const NAMING_FIELDS = ['name', 'key', 'path', 'header'];
const NAMED_FIELDS = new Set(['value', 'oldValue', 'newValue', 'default']);

function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // A pair of surrogates that is cut in two is no character.
  const head = text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
  return head + cutNote(`${text.length - head.length} more characters`);
}

const read = (container: object, key: string): unknown => {
  try {
    return Reflect.get(container, key);
  } catch {
    return UNREADABLE;
  }
};

/** What JSON would show of it (`toJSON` of a date or a URL). */
const shownBy = (container: object): unknown => {
  const toJson = read(container, 'toJSON');
  return typeof toJson === 'function' ? toJson.call(container) : container;
};

/**
 * A plain copy of any value, without its secrets and within limits. It can always be written as JSON and is made without throwing.
 * `changed` says that the copy hides something: a secret, or what lies too deep to be looked at.
 */
export function redactedCopy(value: unknown, rules: RedactionRules, limits = WHOLE) {
  const ancestors = new Set<object>();
  let nodes = 0;
  let changed = false;

  const safeText = (text: string, isSecret: boolean): string => {
    const safe = isSecret ? REDACTED : rules.text(text);
    if (safe !== text) changed = true;
    return safe;
  };

  const copyArray = (items: readonly unknown[], isSecret: boolean): unknown[] => {
    const kept = items.slice(0, limits.items).map((item) => copy(item, isSecret));
    return kept.length < items.length ? [...kept, cutNote(`${items.length - kept.length} more items`)] : kept;
  };

  const copyObject = (container: object, isSecret: boolean): object => {
    const keys = Object.keys(container);
    const isNamed = NAMING_FIELDS.some((field) => {
      const name = keys.includes(field) ? read(container, field) : undefined;
      return typeof name === 'string' && rules.isSecretName(name);
    });
    const fields = new Map<string, unknown>();
    for (const key of keys.slice(0, limits.items)) {
      const isSecretField = isSecret || rules.isSecretName(key) || (isNamed && NAMED_FIELDS.has(key));
      const name = safeText(key, false);
      // Two keys that were secrets look alike now.
      const uniqueName = fields.has(name) ? `${name} ${fields.size}` : name;
      fields.set(uniqueName, copy(read(container, key), isSecretField));
    }
    if (fields.size < keys.length) fields.set('…', `[cut: ${keys.length - fields.size} more fields]`);
    return Object.fromEntries(fields);
  };

  const copyContainer = (container: object, isSecret: boolean): unknown => {
    if (ancestors.has(container)) return '[circular]';
    if (ancestors.size >= MAX_DEPTH) {
      changed = true;
      return cutNote(`deeper than ${MAX_DEPTH} levels`);
    }
    ancestors.add(container);
    try {
      const shown = shownBy(container);
      if (shown !== container) return copy(shown, isSecret);
      return Array.isArray(container) ? copyArray(container, isSecret) : copyObject(container, isSecret);
    } catch {
      changed = true;
      return UNREADABLE;
    } finally {
      ancestors.delete(container);
    }
  };

  const copy = (part: unknown, isSecret: boolean): unknown => {
    if (++nodes > MAX_NODES) {
      changed = true;
      return cutNote('too much to show');
    }
    if (typeof part === 'string') return cutText(safeText(part, isSecret), limits.characters);
    if (typeof part === 'bigint') return String(part);
    if (typeof part === 'function' || typeof part === 'symbol') return undefined;
    return typeof part === 'object' && part !== null ? copyContainer(part, isSecret) : part;
  };

  const result = copy(value, false);
  return { copy: result, changed };
}
