import { isObject, RPC, RpcError } from '../protocol/json-rpc.js';

/** Its name in the capabilities of clients and servers (2026-07-28). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

type Capabilities = Readonly<Record<string, unknown>>;

export const knowsTasks = ({ extensions }: Capabilities): boolean =>
  isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);

export function mustKnowTasks(capabilities: Capabilities): void {
  if (knowsTasks(capabilities)) return;
  throw new RpcError(RPC.missingCapability, `The client has to declare the extension ${TASKS_EXTENSION}`, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}
