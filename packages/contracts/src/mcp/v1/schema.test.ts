import { expect, test } from 'vitest';
import { HANDSHAKE_VERSIONS, MCPServerConfigSchema, META, STATELESS_VERSIONS } from './schema.js';

test('the protocol versions are these, oldest first', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
  expect(STATELESS_VERSIONS).toEqual(['2026-07-28']);
});

test('what is ours in a request has our prefix', () => {
  expect(META).toEqual({ idempotencyKey: 'automatosx/idempotencyKey', sessionId: 'automatosx/sessionId' });
});

test('the server is called automatosx-mcp', () => {
  expect(MCPServerConfigSchema.parse({})).toMatchObject({ name: 'automatosx-mcp' });
});
