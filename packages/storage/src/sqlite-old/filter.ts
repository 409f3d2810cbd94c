import type { Listed, Page } from '@automatosx/contracts';
import type { Connection, Row, Value } from './driver.js';

/** A condition in SQL, and its values. */
export interface Filter {
  readonly where: string;
  readonly values: readonly Value[];
}

export const ANY: Filter = { where: 'TRUE', values: [] };

/** `column = value`, or no condition where there is no value. */
export const equals = (column: string, value: string | undefined): Filter =>
  value === undefined ? ANY : { where: `${column} = ?`, values: [value] };

export const all = (filters: readonly Filter[]): Filter => ({
  where: filters.map(({ where }) => where).join(' AND '),
  values: filters.flatMap(({ values }) => values),
});

/** A list in the order of one of its columns, which also is what a cursor holds. */
export interface Listing {
  readonly columns: string;
  readonly table: string;
  readonly key: string;
  readonly order: 'ASC' | 'DESC';
  readonly filter: Filter;
  readonly page: Page;
}

/** Fetches one row more than asked for: its presence tells that there is a next page. */
export function listRows(connection: Connection, listing: Listing): Omit<Listed<Row>, 'total'> {
  const { columns, table, key, order, page } = listing;
  const after: Filter =
    page.after === undefined ? ANY : { where: `${key} ${order === 'ASC' ? '>' : '<'} ?`, values: [page.after] };
  const { where, values } = all([listing.filter, after]);
  const rows = connection.all(
    `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${key} ${order} LIMIT ? OFFSET ?`,
    ...values,
    page.limit + 1,
    page.offset,
  );
  const items = rows.slice(0, page.limit);
  return { items, next: rows.length > page.limit ? String(items.at(-1)?.[key]) : undefined };
}

export const countRows = (connection: Connection, table: string, { where, values }: Filter): number =>
  Number(connection.get(`SELECT count(*) AS entries FROM ${table} WHERE ${where}`, ...values)?.entries);
