import { CURSOR_AFTER, decodeCursor, encodeCursor, type Listed, type Page } from '@automatosx/contracts';

interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | undefined;
}

/** The page that a list tool is asked for; a cursor of another tool is refused. */
export const pageFrom = (toolName: string, { limit, offset, cursor }: PageRequest): Page => ({
  limit,
  offset,
  after: cursor === undefined ? undefined : decodeCursor(toolName, cursor),
});

/** What a list tool answers beside its array. */
export const paged = (
  toolName: string,
  { limit, offset }: PageRequest,
  { total, next, places = [] }: Listed<unknown>,
) => ({
  total,
  limit,
  offset,
  hasMore: next !== undefined,
  ...(next !== undefined && { nextCursor: encodeCursor(toolName, next) }),
  [CURSOR_AFTER]: (count: number) => encodeCursor(toolName, places[count - 1] ?? ''),
});

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
