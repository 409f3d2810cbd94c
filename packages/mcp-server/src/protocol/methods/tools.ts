import { callTool } from '../call-tool.js';
import type { Methods, Services } from '../method.js';
import { pageOf } from '../pages.js';
import { toolFor } from '../versions.js';
import { BOTH, listParams, MINUTE_MS, method } from './define.js';

export const toolMethods = ({ catalog, tasks, config }: Services): Methods => [
  method('tools/list', {
    eras: BOTH,
    params: listParams,
    cacheable: { ttlMs: MINUTE_MS, cacheScope: 'public' },
    handle: (params, { version }) => {
      const { items, nextCursor } = pageOf(catalog.definitions(), {
        list: 'tools',
        params,
        size: config().limits.pageSize,
      });
      return { tools: items.map((tool) => toolFor(version, tool)), nextCursor };
    },
  }),
  method('tools/call', callTool({ catalog, tasks })),
];
