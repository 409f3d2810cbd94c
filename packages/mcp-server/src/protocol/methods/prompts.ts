import * as z from 'zod';
import type { Prompt } from '../../prompts/prompt.js';
import { RPC, RpcError } from '../json-rpc.js';
import type { Methods, Services } from '../method.js';
import { pageOf } from '../pages.js';
import { withoutTitle } from '../versions.js';
import { BOTH, listParams, MINUTE_MS, method } from './define.js';

const getParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string().max(100_000)).optional(),
});

export function promptMethods({ prompts, config }: Services): Methods {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  const listed = prompts.map(({ messages, complete, ...shown }) => shown);
  return [
    method('prompts/list', {
      eras: BOTH,
      params: listParams,
      cacheable: { ttlMs: MINUTE_MS, cacheScope: 'public' },
      handle: (params, { version }) => {
        const { items, nextCursor } = pageOf(listed, { list: 'prompts', params, size: config().limits.pageSize });
        return { prompts: items.map((prompt) => withoutTitle(version, prompt)), nextCursor };
      },
    }),
    method('prompts/get', {
      eras: BOTH,
      params: getParams,
      asksClient: true,
      handle: async ({ name, arguments: given = {} }, request) => {
        const prompt = byName.get(name);
        if (!prompt) throw new RpcError(RPC.invalidParams, `Unknown prompt: ${name.slice(0, 200)}`);
        mustHaveRequired(prompt, given);
        return { description: prompt.description, messages: await prompt.messages(given, request) };
      },
    }),
  ];
}

function mustHaveRequired(prompt: Prompt, given: Readonly<Record<string, string>>): void {
  const missing = prompt.arguments.filter(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  throw new RpcError(RPC.invalidParams, `The prompt ${prompt.name} needs ${names.join(', ')}`, { missing: names });
}
