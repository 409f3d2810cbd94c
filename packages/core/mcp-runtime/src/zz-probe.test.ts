import { test } from 'vitest';
import * as z from 'zod';
import { memoryStore, memoryBulkDelete, sessionFail, sessionCreate, MCPTimeoutConfigSchema, toToolDefinition, TOOL_CONTRACTS } from '@automatosx/contracts';
test('probe', () => {
  const p = (s: z.ZodType, t: string) => console.log(t, JSON.stringify(s.safeParse(JSON.parse(t)).error?.issues ?? s.safeParse(JSON.parse(t)).data));
  p(memoryStore.input, '{"key":"a","value":1,"__proto__":{"x":1}}');
  p(memoryStore.input, '{"key":"a","value":{"__proto__":{"x":1}},"constructor":3}');
  p(memoryStore.input, '{"kee":"a","valu":1}');
  p(memoryBulkDelete.input, '{"keys":[],"prefix":"s"}');
  p(memoryBulkDelete.input, '{"keys":["a"],"prefix":"s"}');
  p(memoryBulkDelete.input, '{}');
  p(sessionFail.input, '{"sessionId":"x","error":{"code":"","mesage":"3"}}');
  p(sessionCreate.input, '{"initiator":5,"task":"","metadata":[]}');
  p(MCPTimeoutConfigSchema, '{"toolOverrides":{"constructor":5,"__proto__":6}}');
  console.log(Object.keys((memoryBulkDelete.input as any).shape));
  console.log(JSON.stringify(TOOL_CONTRACTS.map(toToolDefinition)).length/4);
  console.log(JSON.stringify(toToolDefinition(memoryStore),null,1));
});
