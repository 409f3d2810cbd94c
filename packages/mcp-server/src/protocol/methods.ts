import type { ProtocolVersion } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import type { ArtifactStore, Cancellation } from '@automatosx/mcp-runtime';
import * as z from 'zod';
import type { Catalog } from '../catalog.js';
import { readArtifact, resourceTemplates } from '../resources/artifacts.js';
import { callTool } from './call-tool.js';
import { pageOf } from './pages.js';
import { type Era, hasServerDescription, toolFor } from './versions.js';

/** One request on its way: what the connection knows of it. */
export interface RequestContext {
  readonly version: ProtocolVersion;
  readonly era: Era;
  readonly principal: string;
  readonly isLocal: boolean;
  readonly workspace: () => string | Promise<string>;
  readonly sizeBytes: number;
  readonly cancellation: Cancellation;
  readonly notify: (method: string, params: Record<string, unknown>) => void;
}

/** An object, or the inside of one as JSON text where that is at hand already. */
export type Result = Record<string, unknown> | string;

export interface Method<Params = never> {
  readonly eras: readonly Era[];
  readonly params: z.ZodType<Params>;
  /** How long and for whom the client may keep the result (2026-07-28). */
  readonly cacheable?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  readonly handle: (params: Params, request: RequestContext) => Result | Promise<Result>;
}

export interface Services {
  readonly catalog: Catalog;
  readonly artifacts: ArtifactStore;
  readonly config: () => Config;
  /** The version of this program. */
  readonly version: string;
}

const method = <Params>(definition: Method<Params>): Method => definition as unknown as Method;

const both: readonly Era[] = ['handshake', 'stateless'];
const noParams = z.looseObject({}).optional();
const listParams = z.looseObject({ cursor: z.string().optional() }).optional();

const initializeParams = z.looseObject({
  protocolVersion: z.string().max(100),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

export type InitializeParams = z.infer<typeof initializeParams>;

const MINUTE_MS = 60_000;

const CAPABILITIES = { tools: {}, resources: {} };

const INSTRUCTIONS = `Memory and sessions that last across conversations and are shared by all who use this server.
- memory_store, memory_retrieve, memory_search: keep and find facts, decisions and plans, by key and namespace.
- session_create, session_join, session_status: several agents work on one task.
- trace_list, trace_get, trace_analyze: what was called, what came out, what was slow or failed.
- config_get, config_set, config_show: the server's settings.
Answers are {success, data} or {success: false, error: {code, message, retryable}}.`;

/** Every method: which eras have it, what it takes, what it does. */
export function createMethods(services: Services): ReadonlyMap<string, Method> {
  const { catalog, artifacts, config } = services;
  return new Map<string, Method>([
    ['ping', method({ eras: ['handshake'], params: noParams, handle: () => ({}) })],

    // The connection does what these two mean for it; here is only what they answer.
    ['shutdown', method({ eras: ['handshake'], params: noParams, handle: () => ({}) })],
    [
      'initialize',
      method({
        eras: ['handshake'],
        params: initializeParams,
        handle: (_params, { version }) => ({
          protocolVersion: version,
          capabilities: CAPABILITIES,
          serverInfo: serverInfo(services, version),
          instructions: INSTRUCTIONS,
        }),
      }),
    ],
    [
      'server/discover',
      method({
        eras: ['stateless'],
        params: noParams,
        cacheable: { ttlMs: 60 * MINUTE_MS, cacheScope: 'public' },
        handle: (_params, { version }) => ({
          supportedVersions: [version],
          capabilities: CAPABILITIES,
          instructions: INSTRUCTIONS,
        }),
      }),
    ],
    [
      'tools/list',
      method({
        eras: both,
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
    ],
    ['tools/call', method(callTool(catalog))],
    [
      'resources/list',
      method({
        eras: both,
        params: listParams,
        cacheable: { ttlMs: MINUTE_MS, cacheScope: 'private' },
        handle: (params) => ({ resources: pageOf([], { list: 'resources', params, size: 1 }).items }),
      }),
    ],
    [
      'resources/templates/list',
      method({
        eras: both,
        params: listParams,
        cacheable: { ttlMs: MINUTE_MS, cacheScope: 'public' },
        handle: (params) => {
          const { items } = pageOf(resourceTemplates, {
            list: 'resourceTemplates',
            params,
            size: config().limits.pageSize,
          });
          return { resourceTemplates: items };
        },
      }),
    ],
    ['resources/read', method(readArtifact(artifacts))],
  ]);
}

/** Who we are. Later versions know more about a server than earlier ones. */
export function serverInfo(
  { config, version: program }: Pick<Services, 'config' | 'version'>,
  version: ProtocolVersion,
) {
  const { name, version: configured, description } = config().server;
  return { name, version: configured ?? program, ...(hasServerDescription(version) && { description }) };
}
