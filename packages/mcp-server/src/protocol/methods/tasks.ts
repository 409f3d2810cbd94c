import type { TaskRecord } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import { mustKnowTasks } from '../../tasks/extension.js';
import { detailsOf } from '../../tasks/task-result.js';
import { isAnswer } from '../client-port.js';
import { isObject, RPC, RpcError } from '../json-rpc.js';
import type { Methods, Services } from '../method.js';
import { method, STATELESS } from './define.js';

const taskParams = z.looseObject({ taskId: z.string().max(200) });
const updateParams = z.looseObject({
  taskId: z.string().max(200),
  inputResponses: z.custom<Record<string, unknown>>(isObject, { error: 'Expected an object' }),
});

/** Calls that go on when their connection has ended (the extension io.modelcontextprotocol/tasks). */
export const taskMethods = ({ tasks }: Services): Methods => [
  method('tasks/get', {
    eras: STATELESS,
    params: taskParams,
    handle: async ({ taskId }, { principal, client }) => {
      mustKnowTasks(client.capabilities);
      return detailsOf(known(await tasks.get(principal, taskId)));
    },
  }),
  method('tasks/update', {
    eras: STATELESS,
    params: updateParams,
    handle: async ({ taskId, inputResponses }, { principal, client }) => {
      mustKnowTasks(client.capabilities);
      mustFit(inputResponses, known(await tasks.get(principal, taskId)));
      await tasks.answer(principal, taskId, inputResponses);
      return {};
    },
  }),
  method('tasks/cancel', {
    eras: STATELESS,
    params: taskParams,
    handle: async ({ taskId }, { principal, client }) => {
      mustKnowTasks(client.capabilities);
      known(await tasks.cancel(principal, taskId));
      return {};
    },
  }),
];

/** Somebody else's task is as unknown as one that never was. */
function known<T>(found: T | undefined | false): T {
  if (found) return found;
  throw new RpcError(RPC.invalidParams, 'Task not found: there is none with this id, or it has expired');
}

/** Who answers something else than was asked should hear of it instead of waiting. */
function mustFit(responses: Readonly<Record<string, unknown>>, { questions }: TaskRecord): void {
  for (const [key, question] of Object.entries(questions)) {
    if (!Object.hasOwn(responses, key) || isAnswer(question, responses[key])) continue;
    throw new RpcError(RPC.invalidParams, `inputResponses.${key} is no answer to ${question.method}`);
  }
}
