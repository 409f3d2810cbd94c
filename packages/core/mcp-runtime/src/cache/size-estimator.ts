/** Counting ends here: a getter can hand out new objects for ever, and no answer of ours holds as many values. */
const MAX_VALUES = 1_000_000;

/** Larger than any cache, so what cannot be measured is not kept. */
export const UNMEASURABLE_BYTES = Number.MAX_SAFE_INTEGER;

/**
 * Bytes of a value's JSON in UTF-8, counted without writing the JSON.
 * An object met a second time counts as `null`: memory holds it once, and a cycle ends there.
 */
export function estimateSizeBytes(value: unknown): number {
  try {
    return measure(value);
  } catch {
    // A getter, a proxy or a toJSON threw, or there was no end to it.
    return UNMEASURABLE_BYTES;
  }
}

/** A list of what is left instead of recursion: a deep value must not overflow the stack. */
function measure(root: unknown): number {
  const seen = new Set<object>();
  const pending: unknown[] = [root];
  let bytes = 0;
  for (let visited = 0; pending.length > 0; visited += 1) {
    assertCountable(visited + pending.length);
    const value = toJsonValue(pending.pop());
    if (typeof value !== 'object' || value === null || seen.has(value)) {
      bytes += leafBytes(value);
    } else {
      seen.add(value);
      bytes += containerBytes(value, pending);
    }
  }
  return bytes;
}

function assertCountable(values: number): void {
  if (values > MAX_VALUES) throw new RangeError(`More than ${MAX_VALUES} values`);
}

/** What JSON.stringify would look at instead, as for a Date. A Buffer's toJSON would copy it byte by byte. */
function toJsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function leafBytes(value: unknown): number {
  if (typeof value === 'string') return stringBytes(value);
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value).length;
  // Not JSON, but it takes room; hexadecimal because decimal digits of a large one take quadratic time.
  if (typeof value === 'bigint') return value.toString(16).length;
  return 'null'.length;
}

/** Bytes of brackets, commas and names; the values inside are left in `pending`. */
function containerBytes(container: object, pending: unknown[]): number {
  if (Array.isArray(container)) return arrayBytes(container, pending);
  if (ArrayBuffer.isView(container) || container instanceof ArrayBuffer) return container.byteLength;
  // JSON would say `{}` to these two, but what they hold takes room.
  if (container instanceof Map || container instanceof Set) return arrayBytes([...container], pending);
  return objectBytes(container, pending);
}

function arrayBytes(items: readonly unknown[], pending: unknown[]): number {
  // A sparse array may claim four thousand million items.
  assertCountable(items.length);
  for (const item of items) pending.push(item);
  return '[]'.length + Math.max(0, items.length - 1);
}

function objectBytes(object: object, pending: unknown[]): number {
  const members = Object.entries(object).filter(([, value]) => !isOmitted(value));
  let bytes = '{}'.length + Math.max(0, members.length - 1);
  for (const [name, value] of members) {
    bytes += stringBytes(name) + ':'.length;
    pending.push(value);
  }
  return bytes;
}

const isOmitted = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

function stringBytes(text: string): number {
  let bytes = '""'.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.codePointAt(index) ?? 0;
    bytes += codePointBytes(code);
    if (code > 0xffff) index += 1;
  }
  return bytes;
}

const ESCAPED_BYTES = '\\u0000'.length;

function codePointBytes(code: number): number {
  if (code >= 0x20 && code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1;
  // \b \t \n \f \r have short names; 0x0b has none.
  if (code < 0x20) return code >= 0x08 && code <= 0x0d && code !== 0x0b ? 2 : ESCAPED_BYTES;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isLoneSurrogate ? ESCAPED_BYTES : 3;
}
