import * as z from 'zod';

/** Protocol versions opened by `initialize`, oldest first. */
export const HANDSHAKE_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Protocol versions that carry everything in each request's `_meta`. */
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

export type HandshakeVersion = (typeof HANDSHAKE_VERSIONS)[number];
export type StatelessVersion = (typeof STATELESS_VERSIONS)[number];
export type ProtocolVersion = HandshakeVersion | StatelessVersion;

/** Names in a request's `_meta` that are ours. */
export const META = {
  idempotencyKey: 'automatosx/idempotencyKey',
  sessionId: 'automatosx/sessionId',
} as const;

export const MCPServerConfigSchema = z.strictObject({
  name: z.string().min(1).max(100).default('automatosx-mcp'),
  version: z.string().min(1).max(50).optional(),
  description: z.string().max(1000).optional(),
});

export type MCPServerConfig = z.infer<typeof MCPServerConfigSchema>;
