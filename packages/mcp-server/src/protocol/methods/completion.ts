import * as z from 'zod';
import { RPC, RpcError } from '../json-rpc.js';
import type { Methods, Services } from '../method.js';
import { BOTH, method } from './define.js';

/** As many as the protocol allows in one answer. */
const MAX_VALUES = 100;

const text = z.string().max(2000);

const completeParams = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/prompt'), name: text }),
    z.looseObject({ type: z.literal('ref/resource'), uri: text }),
  ]),
  argument: z.looseObject({ name: text, value: text }),
  context: z.looseObject({ arguments: z.record(z.string(), text).optional() }).optional(),
});

type Params = z.infer<typeof completeParams>;

/** Values for an argument of a prompt or a variable of a resource's template, while somebody types. */
export function completionMethods({ prompts, resources }: Services): Methods {
  const completerOf = (ref: Params['ref']) => {
    if (ref.type === 'ref/prompt') {
      const prompt = prompts.find(({ name }) => name === ref.name);
      return prompt && { of: prompt.name, complete: prompt.complete };
    }
    const source = resources.find(({ templates }) => templates.some(({ uriTemplate }) => uriTemplate === ref.uri));
    return source && { of: ref.uri, complete: source.complete };
  };

  return [
    method('completion/complete', {
      eras: BOTH,
      params: completeParams,
      handle: async ({ ref, argument, context }, { principal }) => {
        const completer = completerOf(ref);
        if (!completer) throw new RpcError(RPC.invalidParams, 'There is nothing of this name to complete', { ref });
        const question = {
          of: completer.of,
          argument: argument.name,
          typed: argument.value,
          chosen: context?.arguments ?? {},
          principal,
        };
        const values = (await completer.complete?.(question)) ?? [];
        const hasMore = values.length > MAX_VALUES;
        // How many more is not counted.
        const total = hasMore ? undefined : values.length;
        return { completion: { values: values.slice(0, MAX_VALUES), total, hasMore } };
      },
    }),
  ];
}
