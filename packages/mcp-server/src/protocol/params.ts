import { RPC, RpcError } from './json-rpc.js';
import type { Method } from './method.js';

/** The params as the method's schema made them; throws -32602 where they are not of its shape. */
export function checkedParams(method: Method, name: string, params: unknown): unknown {
  const result = method.params.safeParse(params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const problem = [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ');
  throw new RpcError(RPC.invalidParams, `Invalid params of ${name}: ${problem}`.slice(0, 500));
}
