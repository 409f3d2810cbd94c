import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ProgressNotificationSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';
import type * as z from 'zod';
import type { Message } from './message.js';

const RESULTS: Readonly<Record<string, z.ZodType>> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  shutdown: EmptyResultSchema,
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'completion/complete': CompleteResultSchema,
  'logging/setLevel': EmptyResultSchema,
};

/** Holds every message that we send against the official SDK's schemas. */
export function checkMessage(message: Message, askedMethod: string | undefined): void {
  if (message.method === 'notifications/progress')
    ProgressNotificationSchema.parse({ method: message.method, params: message.params });
  if (message.method !== undefined) {
    (message.id === undefined ? JSONRPCNotificationSchema : JSONRPCRequestSchema).parse(message);
  } else if (message.error !== undefined) {
    // A message whose id could not be read is answered with null, as JSON-RPC says; the SDK leaves it out there.
    JSONRPCErrorResponseSchema.parse(message.id === null ? { ...message, id: undefined } : message);
  } else {
    JSONRPCResultResponseSchema.parse(message);
    if (askedMethod !== undefined) RESULTS[askedMethod]?.parse(message.result);
  }
}
