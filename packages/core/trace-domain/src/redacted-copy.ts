import { REDACTED } from './secret-shapes.js';

export interface RedactionRules {
  readonly isSecretName: (name: string) => boolean;
  /** The text without its secrets; the same text where there are none. */
  readonly text: (text: string) => string;
}

/** Deeper than anything we accept, and far from what overflows the stack when it is written as JSON again. */
const MAX_DEPTH = 100;
/** Objects that refer to each other have more paths through them than anyone can walk. */
const MAX_NODES = 100_000;
/** What quotes, a comma, a colon or a short number cost of a budget. */
const PUNCTUATION = 6;

const UNREADABLE = '[unreadable]';
const cutNote = (what: string) => `… [cut: ${what}]`;

/** `{name: "API_TOKEN", value: "…"}`: the name of a secret can be a value itself. */
const NAMING_FIELDS = new Set(['name', 'key', 'path', 'header']);
const NAMED_FIELDS = new Set(['value', 'oldValue', 'newValue', 'default']);

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // A pair of surrogates that is cut in two is no character.
  const head = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
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

/** An assignment to `__proto__` would set the prototype instead of a field. */
const setField = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== '__proto__') fields[name] = value;
  else Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
};

/**
 * A plain copy of any value without its secrets. It can always be written as JSON and is made without throwing.
 * `changed` says that the copy hides something: a secret, or what lies too deep to be looked at.
 * With a budget it is cut to about so many characters of JSON. Parts beyond it cost no time; a string is always read whole.
 */
export function redactedCopy(value: unknown, rules: RedactionRules, budget = Number.POSITIVE_INFINITY) {
  const ancestors = new Set<object>();
  // A list's items have the same keys: each is looked at once.
  const known = new Map<string, { readonly name: string; readonly isSecret: boolean }>();
  let nodes = 0;
  let spent = 0;
  let changed = false;

  const fieldOf = (key: string) => {
    const field = known.get(key) ?? { name: rules.text(key), isSecret: rules.isSecretName(key) };
    known.set(key, field);
    if (field.name !== key) changed = true;
    return field;
  };

  const copyText = (text: string, isSecret: boolean, limit: number): string => {
    const safe = isSecret ? REDACTED : rules.text(text);
    if (safe !== text) changed = true;
    const shown = cutText(safe, Math.max(limit - spent, 0));
    spent += shown.length;
    return shown;
  };

  /** Half of what is left, so that the parts after a large one are seen too. */
  const limitOf = (limit: number, isLast: boolean) => (isLast ? limit : spent + (limit - spent) / 2);

  const copyArray = (items: readonly unknown[], isSecret: boolean, limit: number): unknown[] => {
    const kept: unknown[] = [];
    for (let index = 0; index < items.length && spent < limit; index++) {
      kept.push(copy(items[index], isSecret, limitOf(limit, index === items.length - 1)));
    }
    return kept.length < items.length ? [...kept, cutNote(`${items.length - kept.length} more items`)] : kept;
  };

  const namesSecret = (container: object, key: string): boolean => {
    const name = NAMING_FIELDS.has(key) ? read(container, key) : undefined;
    return typeof name === 'string' && rules.isSecretName(name);
  };

  const copyObject = (container: object, isSecret: boolean, limit: number): object => {
    const keys = Object.keys(container);
    const isNamed = keys.some((key) => namesSecret(container, key));
    const fields: Record<string, unknown> = {};
    let index = 0;
    for (; index < keys.length && spent < limit; index++) {
      const key = keys[index] as string;
      const field = fieldOf(key);
      const isSecretField = isSecret || field.isSecret || (isNamed && NAMED_FIELDS.has(key));
      spent += field.name.length;
      // Two keys that were secrets look alike now.
      const name = Object.hasOwn(fields, field.name) ? `${field.name} ${index}` : field.name;
      setField(fields, name, copy(read(container, key), isSecretField, limitOf(limit, index === keys.length - 1)));
    }
    if (index < keys.length) fields['…'] = `[cut: ${keys.length - index} more fields]`;
    return fields;
  };

  const copyContainer = (container: object, isSecret: boolean, limit: number): unknown => {
    if (ancestors.has(container)) return '[circular]';
    if (ancestors.size >= MAX_DEPTH) {
      changed = true;
      return cutNote(`deeper than ${MAX_DEPTH} levels`);
    }
    ancestors.add(container);
    try {
      const shown = shownBy(container);
      if (shown !== container) return copy(shown, isSecret, limit);
      return Array.isArray(container) ? copyArray(container, isSecret, limit) : copyObject(container, isSecret, limit);
    } catch {
      changed = true;
      return UNREADABLE;
    } finally {
      ancestors.delete(container);
    }
  };

  const copy = (part: unknown, isSecret: boolean, limit: number): unknown => {
    spent += PUNCTUATION;
    if (++nodes > MAX_NODES) {
      changed = true;
      return cutNote('too much to show');
    }
    if (typeof part === 'string') return copyText(part, isSecret, limit);
    if (typeof part === 'bigint') return String(part);
    if (typeof part === 'function' || typeof part === 'symbol') return undefined;
    return typeof part === 'object' && part !== null ? copyContainer(part, isSecret, limit) : part;
  };

  const result = copy(value, false, budget);
  return { copy: result, changed };
}
