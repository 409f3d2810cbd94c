import * as z from 'zod';

/** What every list and search tool takes: a page by `offset`, or the next one by `cursor`. */
export const paging = (defaultLimit: number, maxLimit: number) => ({
  limit: z.int().min(1).max(maxLimit).default(defaultLimit),
  offset: z.int().min(0).max(1_000_000_000).default(0),
  cursor: z.string().max(500).optional().describe('nextCursor of the page before'),
});

/** What every list and search tool answers beside its own array. */
export const paged = {
  total: z.int().min(0),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().optional(),
};
