import { ToolError } from './response/errors.js';

/** Which part of a list is wanted: after a place that an earlier page gave, or by counting. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The place after which the page begins, from an earlier page's `next`. */
  readonly after?: string | undefined;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** All that match, on this page or not. */
  readonly total: number;
  /** Where the next page begins; absent on the last one. */
  readonly next?: string | undefined;
  /** The place of each item, so that a page can end earlier than it was fetched. */
  readonly places?: readonly string[] | undefined;
}

/** On the data of a list: the cursor that goes on after its first items. An answer that is cut gives that one out. */
export const CURSOR_AFTER = Symbol('cursorAfter');

/** A cursor tells clients nothing and names its list, so that it cannot be used on another one. */
export const encodeCursor = (list: string, place: string): string =>
  Buffer.from(JSON.stringify([list, place])).toString('base64url');

export function decodeCursor(list: string, cursor: string): string {
  try {
    const [name, place] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (name === list && typeof place === 'string') return place;
  } catch {
    // Told below, like every other cursor that is not ours.
  }
  throw new ToolError('INVALID_CURSOR', `This cursor is not one that ${list} gave out`, {
    context: { path: 'cursor' },
  });
}
