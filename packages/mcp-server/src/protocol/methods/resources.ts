import * as z from 'zod';
import { RpcError } from '../json-rpc.js';
import type { Methods, Services } from '../method.js';
import { pageOf } from '../pages.js';
import type { RequestContext } from '../request.js';
import { resourceNotFoundCode, withoutTitle } from '../versions.js';
import { BOTH, listParams, MINUTE_MS, method } from './define.js';

const uriParams = z.looseObject({ uri: z.string().max(10_000) });

export function resourceMethods({ resources: sources, config }: Services): Methods {
  const resources = sources.flatMap((source) => source.resources);
  const templates = sources.flatMap((source) => source.templates);

  const read = async (uri: string, request: RequestContext) => {
    for (const source of sources) {
      const contents = await source.read(uri, request);
      if (contents) return { contents };
    }
    throw new RpcError(resourceNotFoundCode(request.version), 'Resource not found', { uri });
  };

  return [
    method('resources/list', {
      eras: BOTH,
      params: listParams,
      cacheable: { ttlMs: MINUTE_MS, cacheScope: 'public' },
      handle: (params, { version }) => {
        const page = { list: 'resources', params, size: config().limits.pageSize };
        const { items, nextCursor } = pageOf(resources, page);
        return { resources: items.map((resource) => withoutTitle(version, resource)), nextCursor };
      },
    }),
    method('resources/templates/list', {
      eras: BOTH,
      params: listParams,
      cacheable: { ttlMs: MINUTE_MS, cacheScope: 'public' },
      handle: (params, { version }) => {
        const page = { list: 'resourceTemplates', params, size: config().limits.pageSize };
        const { items, nextCursor } = pageOf(templates, page);
        return { resourceTemplates: items.map((template) => withoutTitle(version, template)), nextCursor };
      },
    }),
    method('resources/read', {
      eras: BOTH,
      params: uriParams,
      asksClient: true,
      // Others may change what it holds at any time.
      cacheable: { ttlMs: 0, cacheScope: 'private' },
      handle: ({ uri }, request) => read(uri, request),
    }),
  ];
}
