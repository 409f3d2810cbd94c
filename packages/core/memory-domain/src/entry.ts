import { MAX_VALUE_BYTES, ToolError } from '@automatosx/contracts';
import type { NewEntry } from './store.js';

/** At most this much of a value's text is found by full-text search. */
const MAX_WORDS_LENGTH = 20_000;

interface StoreRequest {
  readonly namespace: string;
  readonly key: string;
  readonly value: unknown;
  readonly ttlMs?: number | undefined;
  readonly expectedVersion?: number | undefined;
}

/** What is to be stored for a request; throws VALUE_TOO_LARGE if that is too much. */
export function toNewEntry({ namespace, key, value, ttlMs, expectedVersion }: StoreRequest): NewEntry {
  mustBeWhole('key', key);
  mustBeWhole('namespace', namespace);
  const json = JSON.stringify(value);
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > MAX_VALUE_BYTES) {
    throw new ToolError(
      'VALUE_TOO_LARGE',
      `The value of ${key} has ${sizeBytes} bytes; at most ${MAX_VALUE_BYTES} fit`,
      {
        context: { path: 'value', limit: MAX_VALUE_BYTES, actual: sizeBytes },
      },
    );
  }
  return { namespace, key, json, sizeBytes, words: wordsOf(value), ttlMs, expectedVersion };
}

/** Databases end a text at a NUL, so a name with one would come back as another. */
function mustBeWhole(path: string, name: string): void {
  if (!name.includes('\0')) return;
  throw new ToolError('INVALID_FORMAT', `The ${path} holds a NUL character`, { context: { path } });
}

/** Every text and number in the value, for full-text search. */
function wordsOf(value: unknown): string {
  const words: string[] = [];
  let length = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && length < MAX_WORDS_LENGTH) {
    const item = rest.pop();
    if (typeof item === 'string' || typeof item === 'number') {
      words.push(String(item));
      length += String(item).length;
    } else if (typeof item === 'object' && item !== null) {
      rest.push(...Object.values(item).reverse());
    }
  }
  return words.join(' ').slice(0, MAX_WORDS_LENGTH);
}
