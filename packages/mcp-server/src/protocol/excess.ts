import { isRequestId, type RequestId } from './json-rpc.js';

/** Far beyond what any layer accepts. Parsing this much takes seconds, in which nobody is served, and much memory. */
const MAX_FIELDS = 100_000;
const MAX_CONTAINERS = 500_000;
/** Shorter texts cannot hold so many: a field takes four characters (`"":1`), a container one. */
const HARMLESS_LENGTH = 400_000;

/** Why a text is not to be parsed, and the id of its request if it has one. Undefined for all that honest clients send. */
export function excessOf(text: string): { reason: string; id: RequestId | null } | undefined {
  if (text.length < HARMLESS_LENGTH) return undefined;
  const { containers, fields, id } = measure(text);
  if (fields > MAX_FIELDS) return { reason: `An object has more than ${MAX_FIELDS} fields`, id };
  if (containers > MAX_CONTAINERS) return { reason: `There are more than ${MAX_CONTAINERS} objects and lists`, id };
  return undefined;
}

/** Counts without parsing: all containers, and the fields of the largest object. */
function measure(text: string) {
  let containers = 0;
  let depth = 0;
  let largest = 0;
  let name = 0;
  let id: RequestId | null = null;
  /** How many fields the container that is open at each depth has so far. */
  const fields = [0];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        name = at;
        at = endOfString(text, at);
        break;
      case ':':
        fields[depth] = (fields[depth] ?? 0) + 1;
        largest = Math.max(largest, fields[depth] ?? 0);
        if (depth === 1 && text.startsWith('"id"', name)) id = idAt(text, at + 1);
        break;
      case '{':
      case '[':
        depth++;
        if (++containers <= MAX_CONTAINERS) fields[depth] = 0;
        break;
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
    }
  }
  return { containers, fields: largest, id };
}

/** Where the text that begins at `start` ends: at its closing quote. */
export function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
  } while (backslashes % 2 === 1);
  return end;
}

function idAt(text: string, start: number): RequestId | null {
  const value = /\s*("(?:[^"\\]|\\.){0,1000}"|-?\d{1,20})/y;
  value.lastIndex = start;
  try {
    const id: unknown = JSON.parse(value.exec(text)?.[1] ?? 'null');
    return isRequestId(id) ? id : null;
  } catch {
    return null;
  }
}
