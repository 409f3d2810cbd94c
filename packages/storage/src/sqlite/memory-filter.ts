import { ANY, all, beginningWith, equals, type Filter, hasNul, NONE, type Source } from './filter.js';

interface PrefixRequest {
  readonly namespace?: string | undefined;
  readonly prefix: string;
}

interface SearchRequest {
  readonly namespace?: string | undefined;
  readonly text: string;
  readonly in: 'key' | 'value' | 'both';
}

/** The ways to the same entries: how they are counted, and how they are read if they are few or many. */
export interface Match {
  readonly counted: Pick<Source, 'table' | 'filter'>;
  readonly few: Source;
  readonly many: Source;
}

const ENTRIES = { table: 'memory', key: 'seq', keyType: 'integer' } as const;

export const entries = (filter: Filter): Source => ({ ...ENTRIES, filter });

/** Left out as long as nothing has expired, so that an index covers what is counted. */
export const unexpired = (now: number): Filter => ({ where: '(expires_at IS NULL OR expires_at > ?)', values: [now] });

export function matchingPrefix({ namespace, prefix }: PrefixRequest, live: Filter): Match {
  const condition = all([inNamespace(namespace), beginningWith(prefix, 'memory.key')]);
  // The plus keeps the planner from the index of the keys: of many, only those of the page are put in order.
  const rest = all([equals('namespace', namespace), beginningWith(prefix, '+memory.key'), live]);
  return {
    counted: entries(all([condition, live])),
    few: entries(all([among(condition), live])),
    many: hasTrigram(prefix) ? through('memory_keys', quoted(prefix), rest).many : entries(rest),
  };
}

export function matchingSearch({ namespace, text, in: where }: SearchRequest, live: Filter): Match {
  const rest = all([equals('namespace', namespace), live]);
  if (where === 'value') return through('memory_words', wordQuery(text), rest);
  if (where === 'key' && hasTrigram(text)) return through('memory_keys', quoted(text), rest);
  const inKey = hasTrigram(text) ? indexed('memory_keys', quoted(text)) : containing(text);
  if (where === 'key') {
    const condition = all([equals('namespace', namespace), inKey]);
    const many = entries(all([condition, live]));
    return { counted: many, few: entries(all([among(condition), live])), many };
  }
  const inValue = indexed('memory_words', wordQuery(text));
  const either = { where: `(${inKey.where} OR ${inValue.where})`, values: [...inKey.values, ...inValue.values] };
  const both = entries(all([either, rest]));
  return { counted: both, few: both, many: both };
}

/** Names every namespace where none is given, so that the keys of each are found by their index. */
const inNamespace = (namespace: string | undefined): Filter =>
  namespace === undefined
    ? { where: 'namespace IN (SELECT namespace FROM memory_counts)', values: [] }
    : equals('namespace', namespace);

/** Few keys are found by scanning the index that holds them all, without reading the rows. */
const among = ({ where, values }: Filter): Filter => ({
  where: `seq IN (SELECT seq FROM memory WHERE ${where})`,
  values,
});

type FullText = 'memory_keys' | 'memory_words';

const indexed = (index: FullText, query: string): Filter =>
  query === '' ? NONE : { where: `seq IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ?)`, values: [query] };

/** A full-text index gives its matches one by one in the order of writing; the rest is looked up in their rows. */
function through(index: FullText, query: string, rest: Filter): Match {
  if (query === '') return nothing;
  const found: Filter = { where: `${index} MATCH ?`, values: [query] };
  const joined: Source = {
    table: `${index} CROSS JOIN memory ON memory.seq = ${index}.rowid`,
    key: `${index}.rowid`,
    keyType: 'integer',
    filter: all([found, rest]),
  };
  return { counted: rest === ANY ? { table: index, filter: found } : joined, few: joined, many: joined };
}

const nothing: Match = { counted: entries(NONE), few: entries(NONE), many: entries(NONE) };

const hasTrigram = (text: string) => [...text].length >= 3;

const containing = (text: string): Filter =>
  hasNul(text) ? NONE : { where: 'instr(memory.key, ?) > 0', values: [text] };

/** For the trigram index. Quoted, so that nothing in it is an operator. */
const quoted = (text: string): string => (hasNul(text) ? '' : `"${text.replaceAll('"', '""')}"`);

/** Values that hold every word of the text, or a longer one that begins with it. */
const wordQuery = (text: string): string =>
  (text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []).map((word) => `"${word}"*`).join(' ');
