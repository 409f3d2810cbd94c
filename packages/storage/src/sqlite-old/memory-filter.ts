import { all, equals, type Filter } from './filter.js';

interface ListRequest {
  readonly namespace?: string | undefined;
  readonly prefix?: string | undefined;
}

interface SearchRequest {
  readonly namespace?: string | undefined;
  readonly text: string;
  readonly in: 'key' | 'value' | 'both';
}

const live = (now: number): Filter => ({ where: '(expires_at IS NULL OR expires_at > ?)', values: [now] });

export function listFilter({ namespace, prefix }: ListRequest, now: number): Filter {
  const filters = [live(now), equals('namespace', namespace)];
  if (prefix) {
    filters.push(beginningWith(prefix));
    // The trigrams give candidates in the order of writing: a page deep in a million keys costs what the first does.
    if (hasTrigram(prefix)) filters.push(containing(prefix));
  }
  return all(filters);
}

export function searchFilter({ namespace, text, in: where }: SearchRequest, now: number): Filter {
  const inKey = hasTrigram(text) ? containing(text) : { where: 'instr(key, ?) > 0', values: [text] };
  const inValue = withWords(text);
  const either = { where: `(${inKey.where} OR ${inValue.where})`, values: [...inKey.values, ...inValue.values] };
  const match = { key: inKey, value: inValue, both: either }[where];
  return all([live(now), equals('namespace', namespace), match]);
}

/** Everything that begins with the prefix lies between these two, in the order of UTF-8. */
export const beginningWith = (prefix: string): Filter => ({
  where: 'key >= ? AND key < ?',
  values: [prefix, `${prefix}\u{10FFFF}`],
});

const hasTrigram = (text: string) => [...text].length >= 3;

/** Keys that contain the text, by the trigram index. Quoted, so that nothing in it is an operator. */
const containing = (text: string): Filter => ({
  where: 'seq IN (SELECT rowid FROM memory_keys WHERE memory_keys MATCH ?)',
  values: [`"${text.replaceAll('"', '""')}"`],
});

/** Values that hold every word of the text, or a longer one that begins with it. */
function withWords(text: string): Filter {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0) return { where: 'FALSE', values: [] };
  return {
    where: 'seq IN (SELECT rowid FROM memory_words WHERE memory_words MATCH ?)',
    values: [words.map((word) => `"${word}"*`).join(' ')],
  };
}
