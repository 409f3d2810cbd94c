import { RPC, RpcError } from '../protocol/json-rpc.js';
import type { Shelf, Shelves } from '../resources/shelf.js';
import { idsOn } from '../resources/shelf-resources.js';
import { expand } from '../resources/uri-template.js';
import { noSuch } from './no-such.js';
import type { Prompt } from './prompt.js';
import { asDataIfGiven, embeds, says } from './text.js';

export const runPrompts = ({ workflows, agents }: Pick<Shelves, 'workflows' | 'agents'>): Prompt[] => [
  {
    name: 'run_workflow',
    title: 'Run Workflow',
    description: 'Execute a workflow with optional input',
    arguments: [
      { name: 'workflowId', description: 'The ID of the workflow to execute', required: true },
      { name: 'input', description: 'JSON input for the workflow' },
    ],
    messages: async ({ workflowId = '', input }, { principal }) => {
      mustBeJson(input);
      const workflow = (await workflows.get(workflowId, principal)) ?? noSuch('workflow', { workflowId });
      return [
        says(
          `Please execute the '${workflow.id}' workflow with the tool workflow_run.`,
          asDataIfGiven('Input', input),
          'The workflow follows as a resource. Check the input against its schema before you run it, ask for what is missing, and tell afterwards what came out of each step.',
        ),
        embeds(expand('automatosx://workflows/{id}', { id: workflow.id }), workflow),
      ];
    },
    complete: completeId(workflows, 'workflowId'),
  },
  {
    name: 'run_agent',
    title: 'Run Agent',
    description: 'Execute an agent with optional input',
    arguments: [
      { name: 'agentId', description: 'The ID of the agent to execute', required: true },
      { name: 'input', description: 'The task for the agent, as text or JSON' },
    ],
    messages: async ({ agentId = '', input }, { principal }) => {
      const agent = (await agents.get(agentId, principal)) ?? noSuch('agent', { agentId });
      return [
        says(
          `Please execute the '${agent.id}' agent with the tool agent_run.`,
          asDataIfGiven('Input', input),
          'The agent follows as a resource. Tell afterwards what it did and what came out.',
        ),
        embeds(expand('automatosx://agents/{id}', { id: agent.id }), agent),
      ];
    },
    complete: completeId(agents, 'agentId'),
  },
];

/** Completes the argument that holds an id. */
const completeId =
  (shelf: Shelf, argument: string): NonNullable<Prompt['complete']> =>
  async (question) =>
    question.argument === argument ? idsOn(shelf, question) : [];

function mustBeJson(input: string | undefined): void {
  if (input === undefined || input === '') return;
  try {
    JSON.parse(input);
  } catch {
    throw new RpcError(RPC.invalidParams, 'The argument input is not JSON', { argument: 'input' });
  }
}
