import * as z from 'zod';
import { TASKS_EXTENSION } from '../../tasks/extension.js';
import { type Methods, type Services, serverInfo } from '../method.js';
import { HANDSHAKE, MINUTE_MS, method, noParams, STATELESS } from './define.js';

const initializeParams = z.looseObject({
  protocolVersion: z.string().max(100),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

export type InitializeParams = z.infer<typeof initializeParams>;

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const STATELESS_CAPABILITIES = { ...CAPABILITIES, extensions: { [TASKS_EXTENSION]: {} } };

const INSTRUCTIONS = `Memory and sessions that last across conversations and are shared by all who use this server.
- memory_store, memory_retrieve, memory_search: keep and find facts, decisions and plans, by key and namespace.
- session_create, session_join, session_status: several agents work on one task.
- trace_list, trace_get, trace_analyze: what was called, what came out, what was slow or failed.
- config_get, config_set, config_show: the server's settings.
- Resources such as memory://entries, sessions://active and traces://recent show the same, and can be watched.
Answers are {success, data} or {success: false, error: {code, message, retryable}}.`;

/** How a connection begins and ends. The connection does what these mean for it; here is only what they answer. */
export const lifecycleMethods = (services: Services): Methods => [
  method('ping', { eras: HANDSHAKE, params: noParams, handle: () => ({}) }),
  method('shutdown', { eras: HANDSHAKE, params: noParams, handle: () => ({}) }),
  method('initialize', {
    eras: HANDSHAKE,
    params: initializeParams,
    handle: (_params, { version }) => ({
      protocolVersion: version,
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(services, version),
      instructions: INSTRUCTIONS,
    }),
  }),
  method('server/discover', {
    eras: STATELESS,
    params: noParams,
    cacheable: { ttlMs: 60 * MINUTE_MS, cacheScope: 'public' },
    handle: (_params, { version }) => ({
      supportedVersions: [version],
      capabilities: STATELESS_CAPABILITIES,
      instructions: INSTRUCTIONS,
    }),
  }),
];
