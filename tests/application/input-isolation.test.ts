import { randomUUID } from 'node:crypto';
import { TOOL_CONTRACTS } from '@automatosx/contracts';
import { createCancellation, NO_CLIENT } from '@automatosx/mcp-runtime';
import { createServer, type Server } from '@automatosx/mcp-server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type * as z from 'zod';
import { temporaryFolder } from '../support/paths.js';
import { EXAMPLE_NAMES, type ExampleIds, exampleOf, freshIds } from '../support/tool-examples.js';

const home = temporaryFolder();
let server: Server;
let ids: ExampleIds;

const call = async (name: string, input: Record<string, unknown>) => {
  const { envelope } = await server.catalog.call(name, input, {
    principal: 'local',
    isLocal: true,
    workspace: home,
    correlationId: randomUUID(),
    cancellation: createCancellation(),
    progress: () => {},
    client: NO_CLIENT,
    log: () => {},
  });
  return envelope;
};

const data = async (name: string, input: Record<string, unknown>) => {
  const envelope = await call(name, input);
  return envelope.success ? envelope.data : expect.fail(`${name} failed`);
};

beforeAll(async () => {
  server = createServer({
    home,
    workspace: home,
    isWorkspaceFixed: true,
    environment: {},
    toolSelection: 'all',
    version: '1.2.3',
    isStrict: true,
    log: () => {},
  });
  ids = await freshIds(data);
});
afterAll(() => server.close());

/** Whoever writes to it throws, because modules are strict. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** A tool's function gets what the schema made of the input, which is another object: that one is frozen too. */
function freezeParsed(name: string) {
  const schema = TOOL_CONTRACTS.find((contract) => contract.name === name)?.input as z.ZodType;
  const { safeParse } = schema;
  return vi.spyOn(schema, 'safeParse').mockImplementation((input) => deepFreeze(safeParse(input)));
}

test.each(EXAMPLE_NAMES)('INV-MCP-005: no layer changes the input of %s, nor does its function', async (name) => {
  const input = exampleOf(name, ids);
  const before = structuredClone(input);
  const parsing = freezeParsed(name);
  onTestFinished(() => parsing.mockRestore());
  expect(await call(name, deepFreeze(input))).toMatchObject({ success: true });
  expect(input).toEqual(before);
  expect(parsing).toHaveBeenCalledTimes(1);
});
