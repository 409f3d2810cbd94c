import { RPC, RpcError } from '../protocol/json-rpc.js';
import type { Shelf, ShelfItem } from '../resources/shelf.js';
import type { Prompt } from './prompt.js';
import { asData, says } from './text.js';

/** So many agents are told of. */
const PAGE = { limit: 100, offset: 0 };

const FLAGS = ['true', 'false'];

export const agentPrompts = (agents: Shelf): Prompt[] => [
  {
    name: 'list_agents',
    title: 'List Agents',
    description: 'List available agents, and which of them to use for what',
    arguments: [
      { name: 'team', description: 'Only the agents of this team' },
      { name: 'enabled', description: 'true: only enabled agents; false: only disabled ones' },
    ],
    messages: async (given, { principal }) => {
      const { items, total } = await agents.list({ principal, where: whereOf(given), page: PAGE });
      return [says('Please list the agents below, each with what it is good for.', textOf(items, total))];
    },
    complete: async ({ argument, typed, principal }) => {
      const values = argument === 'team' ? await teamsOf(agents, principal) : argument === 'enabled' ? FLAGS : [];
      return values.filter((value) => value.startsWith(typed));
    },
  },
];

function whereOf({ team, enabled }: Readonly<Record<string, string>>): Record<string, unknown> {
  if (enabled !== undefined && enabled !== '' && !FLAGS.includes(enabled)) {
    throw new RpcError(RPC.invalidParams, 'The argument enabled is true or false', { argument: 'enabled' });
  }
  return { ...(team && { team }), ...(enabled && { enabled: enabled === 'true' }) };
}

function textOf(items: readonly ShelfItem[], total: number): string {
  if (total === 0) return 'There are no such agents.';
  const label = items.length < total ? `The newest ${items.length} of ${total} agents` : 'Agents';
  return asData(label, items.map((item) => JSON.stringify(item)).join('\n'));
}

async function teamsOf(agents: Shelf, principal: string): Promise<string[]> {
  const { items } = await agents.list({ principal, page: PAGE });
  return [...new Set(items.map(({ team }) => team).filter((team) => typeof team === 'string'))].sort();
}
