import type { Listed, Page } from '@automatosx/contracts';

export interface ShelfItem {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface ShelfQuery {
  readonly principal: string;
  /** How an id begins. */
  readonly prefix?: string;
  /** Fields that have these values. */
  readonly where?: Readonly<Record<string, unknown>>;
  readonly page: Page;
}

/** Things with ids, as resources and prompts see a domain: to be looked at, not changed. */
export interface Shelf {
  /** Newest first, without what is large. */
  list(query: ShelfQuery): Promise<Listed<ShelfItem>>;
  /** All of one thing. Undefined where there is none that the principal may see. */
  get(id: string, principal: string): Promise<ShelfItem | undefined>;
  /** Another text whenever the thing has changed, or without an id any of them; `none` where there is none. */
  stamp(principal: string, id?: string): Promise<string>;
}

export interface Shelves {
  readonly workflows: Shelf;
  readonly agents: Shelf;
  readonly policies: Shelf;
  readonly conversations: Shelf;
}

/** Things that stay as they are while the server runs, and are everybody's. */
export function fixedShelf<T extends ShelfItem>(
  things: readonly T[],
  toHead: (thing: T) => ShelfItem = (thing) => thing,
): Shelf {
  const find = (id: string) => things.find((thing) => thing.id === id);
  return {
    list: async ({ prefix = '', where = {}, page }) => {
      const fields = Object.entries(where);
      const found = things
        .map(toHead)
        .filter((head) => head.id.startsWith(prefix) && fields.every(([name, value]) => head[name] === value));
      const end = page.offset + page.limit;
      return {
        items: found.slice(page.offset, end),
        total: found.length,
        ...(end < found.length && { next: `${end}` }),
      };
    },
    get: async (id) => find(id),
    stamp: async (_principal, id) => (id === undefined || find(id) ? 'fixed' : 'none'),
  };
}

/** The shelves that are given, and empty ones in place of the others. */
export function shelvesWith(given: Partial<Shelves>): Shelves {
  const empty = fixedShelf([]);
  return { workflows: empty, agents: empty, policies: empty, conversations: empty, ...given };
}
