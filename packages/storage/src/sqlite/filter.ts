import { type Listed, type Page, ToolError } from '@automatosx/contracts';
import type { Connection, Row, Value } from './driver.js';

/** A condition in SQL, and its values. */
export interface Filter {
  readonly where: string;
  readonly values: readonly Value[];
}

export const ANY: Filter = { where: 'TRUE', values: [] };
export const NONE: Filter = { where: 'FALSE', values: [] };

/** `column = value`, or no condition where there is no value. */
export const equals = (column: string, value: string | undefined): Filter =>
  value === undefined ? ANY : { where: `${column} = ?`, values: [value] };

export function all(filters: readonly Filter[]): Filter {
  const conditions = filters.filter((filter) => filter !== ANY);
  if (conditions.length === 0) return ANY;
  return {
    where: conditions.map(({ where }) => where).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Everything that begins with the prefix lies between it and the next greater text that does not. */
export function beginningWith(prefix: string, column: string): Filter {
  if (hasNul(prefix)) return NONE;
  const beyond = successor(prefix);
  const from = { where: `${column} >= ?`, values: [prefix] };
  return beyond === '' ? from : all([from, { where: `${column} < ?`, values: [beyond] }]);
}

/** The order of UTF-8 is that of code points: the last one is raised, past the gap that surrogates leave. */
function successor(text: string): string {
  const points = [...text];
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) return '';
  if (last === 0x10ffff) return successor(points.join(''));
  return points.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}

/** The driver ends a text at its first NUL, so no stored name has one. */
export const hasNul = (text: string) => text.includes('\0');

/** Rows of a table in the order of one of its columns, which also is what a cursor holds. */
export interface Source {
  readonly table: string;
  readonly key: string;
  readonly keyType: 'integer' | 'text';
  readonly filter: Filter;
}

export interface Listing extends Source {
  readonly columns: string;
  readonly order: 'ASC' | 'DESC';
  readonly page: Page;
}

/** Fetches one row more than asked for: its presence tells that there is a next page. */
export function listRows(connection: Connection, listing: Listing): Omit<Listed<Row>, 'total'> {
  const { columns, table, key, order, page } = listing;
  const { where, values } = all([listing.filter, afterPlace(listing)]);
  const rows = connection.all(
    `SELECT ${columns}, ${key} AS place FROM ${table} WHERE ${where} ORDER BY ${key} ${order} LIMIT ? OFFSET ?`,
    ...values,
    page.limit + 1,
    page.offset,
  );
  const items = rows.slice(0, page.limit);
  const places = items.map(({ place }) => String(place));
  return { items, places, next: rows.length > page.limit ? places.at(-1) : undefined };
}

function afterPlace({ key, keyType, order, page: { after } }: Listing): Filter {
  if (after === undefined) return ANY;
  const place = keyType === 'integer' ? Number(after) : after;
  if (keyType === 'integer' && !Number.isSafeInteger(place)) {
    throw new ToolError('INVALID_CURSOR', 'This cursor names no place in the list');
  }
  return { where: `${key} ${order === 'ASC' ? '>' : '<'} ?`, values: [place] };
}

export const countRows = (connection: Connection, { table, filter }: Pick<Source, 'table' | 'filter'>): number =>
  Number(connection.get(`SELECT count(*) AS entries FROM ${table} WHERE ${filter.where}`, ...filter.values)?.entries);
