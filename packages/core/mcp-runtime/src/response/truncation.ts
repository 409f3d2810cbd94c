import { CURSOR_AFTER, type MCPResponseLimits } from '@automatosx/contracts';
import { beginningOf } from '../text.js';

/**
 * A copy of the data whose JSON has at most `maxBytes`. Lists lose items from their end and texts their tail; names,
 * numbers and the shape stay, so that the answer still is what its schema says. Where those alone are too large there
 * is no copy: an answer without data keeps to its schema too, one with `null` would not.
 */
export function truncate(data: unknown, limits: MCPResponseLimits, maxBytes: number): unknown {
  let items = limits.maxListItems;
  let characters = limits.maxStringLength;
  for (;;) {
    const shortened = cut(data, { items, characters, suffix: limits.truncationSuffix });
    continueAfter(shortened, data, items);
    if (Buffer.byteLength(JSON.stringify(shortened)) <= maxBytes) return shortened;
    if (items === 0 && characters === 0) return undefined;
    items = Math.floor(items / 2);
    characters = items === 0 ? Math.floor(characters / 10) : characters;
  }
}

/** The next page of a list that was cut begins after the last item shown, so that following cursors misses none. */
function continueAfter(shortened: unknown, data: unknown, items: number): void {
  const cursorAfter = (data as { [CURSOR_AFTER]?: (count: number) => string } | null)?.[CURSOR_AFTER];
  const lists = Object.values(data ?? {}).filter(Array.isArray);
  if (cursorAfter === undefined || items === 0 || !lists.some(({ length }) => length > items)) return;
  Object.assign(shortened as object, { hasMore: true, nextCursor: cursorAfter(items) });
}

interface Measure {
  readonly items: number;
  readonly characters: number;
  readonly suffix: string;
}

function cut(value: unknown, measure: Measure): unknown {
  if (typeof value === 'string') return cutText(value, measure);
  if (Array.isArray(value)) return value.slice(0, measure.items).map((item) => cut(item, measure));
  if (typeof value !== 'object' || value === null) return value;
  const shortened = Object.create(null);
  for (const [key, item] of Object.entries(value)) shortened[key] = cut(item, measure);
  return shortened;
}

const cutText = (text: string, { characters, suffix }: Measure): string =>
  text.length <= characters + suffix.length ? text : beginningOf(text, characters) + suffix;
