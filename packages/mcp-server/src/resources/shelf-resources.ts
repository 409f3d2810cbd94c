import { COMPLETIONS, collection, jsonResources, NEWEST, type Route } from './json-resources.js';
import type { ResourceSource } from './resource.js';
import type { Shelf, Shelves } from './shelf.js';

interface Collection {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** What its array is called. */
  readonly array: string;
  readonly shelf: Shelf;
  readonly where?: Readonly<Record<string, unknown>>;
}

/** What is kept on shelves: workflows, agents, policies and conversations. */
export const shelfResources = ({ workflows, agents, policies, conversations }: Shelves): ResourceSource =>
  jsonResources([
    ...withItems(
      {
        uri: 'automatosx://workflows',
        name: 'Workflows',
        description: 'The newest workflows',
        array: 'workflows',
        shelf: workflows,
      },
      { name: 'Workflow', description: 'One workflow, with its steps' },
    ),
    ...withItems(
      {
        uri: 'automatosx://agents',
        name: 'Agents',
        description: 'The newest agents, enabled or not',
        array: 'agents',
        shelf: agents,
      },
      { name: 'Agent', description: 'One agent, with its profile' },
    ),
    collectionRoute({
      uri: 'agents://available',
      name: 'Available Agents',
      description: 'The newest agents that are enabled',
      array: 'agents',
      shelf: agents,
      where: { enabled: true },
    }),
    ...withItems(
      {
        uri: 'automatosx://policies',
        name: 'Policies',
        description: 'The policies that guard calls',
        array: 'policies',
        shelf: policies,
      },
      { name: 'Policy', description: 'One policy, with its gates' },
    ),
    ...withItems(
      {
        uri: 'memory://conversations',
        name: 'Conversations',
        description: 'Your newest conversations, without their messages',
        array: 'conversations',
        shelf: conversations,
      },
      { name: 'Conversation', description: 'One of your conversations, with its messages' },
    ),
  ]);

const collectionRoute = ({ array, shelf, where = {}, ...shown }: Collection): Route => ({
  ...shown,
  read: async (_names, principal) =>
    collection(array, await shelf.list({ principal, where, page: NEWEST }), (item) => item),
  stamp: (_names, principal) => shelf.stamp(principal),
});

/** A collection, and the template of what is in it. */
const withItems = (all: Collection, one: Pick<Route, 'name' | 'description'>): Route[] => [
  collectionRoute(all),
  {
    ...one,
    uri: `${all.uri}/{id}`,
    read: ({ id = '' }, principal) => all.shelf.get(id, principal),
    stamp: ({ id = '' }, principal) => all.shelf.stamp(principal, id),
    complete: ({ typed, principal }) => idsOn(all.shelf, { typed, principal }),
  },
];

/** The ids that begin with what was typed, newest first. */
export async function idsOn(shelf: Shelf, { typed, principal }: { typed: string; principal: string }) {
  const { items } = await shelf.list({ principal, prefix: typed, page: { limit: COMPLETIONS, offset: 0 } });
  return items.map(({ id }) => id);
}
