import { RPC, RpcError } from '../protocol/json-rpc.js';

/** An argument names something that there is not. */
export function noSuch(kind: string, argument: Readonly<Record<string, string>>): never {
  const [id = ''] = Object.values(argument);
  throw new RpcError(RPC.invalidParams, `There is no ${kind} ${id.slice(0, 200)}`, argument);
}
