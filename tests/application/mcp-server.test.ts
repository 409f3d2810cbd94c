import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ToolDefinition } from '@automatosx/contracts';
import { openDatabase } from '@automatosx/storage';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';
import { EXAMPLE_NAMES, type ExampleIds, exampleOf, freshIds } from '../support/tool-examples.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

let client: TestClient;
let tools: Map<string, ToolDefinition>;
let ids: ExampleIds;

const inputOf = (name: string) => exampleOf(name, ids);
const data = (name: string, input: Record<string, unknown>) => client.data(name, input);

beforeAll(async () => {
  client = await TestClient.start();
  const { result } = await client.request('tools/list');
  tools = new Map(result.tools.map((tool: ToolDefinition) => [tool.name, tool]));
  ids = await freshIds(data);
});

afterAll(() => client.end());

test('every listed tool has an example here, and every example is a listed tool', () => {
  expect([...tools.keys()].sort()).toEqual([...EXAMPLE_NAMES].sort());
});

describe.each(EXAMPLE_NAMES)('%s', (name) => {
  test('is listed with a closed input schema, an output schema and all four hints', () => {
    const tool = tools.get(name);
    expect(tool?.title).toMatch(/\S/);
    expect(tool?.description).toMatch(/\S/);
    expect(tool?.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool?.outputSchema).toMatchObject({ type: 'object', required: ['success'] });
    expect(tool?.annotations).toEqual({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
  });

  test('answers with the envelope, twice the same, and leaves one trace', async () => {
    const before = await totalOf(name);
    const input = inputOf(name);
    expect(ajv.validate(tools.get(name)?.inputSchema ?? {}, input)).toBe(true);
    const { result } = await client.request('tools/call', { name, arguments: input });

    expect(result.isError).toBeUndefined();
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({
      success: true,
      data: expect.any(Object),
      metadata: { durationMs: expect.any(Number), cached: false, truncated: false },
    });
    const isValid = ajv.validate(tools.get(name)?.outputSchema ?? {}, result.structuredContent);
    expect(ajv.errorsText()).toBe('No errors');
    expect(isValid).toBe(true);
    // Asking for the total is a call of trace_list too.
    expect(await totalOf(name)).toBe(before + (name === 'trace_list' ? 2 : 1));
  });

  test('refuses an argument that it does not have, with a trace', async () => {
    const before = await totalOf(name);
    const { result } = await client.request('tools/call', { name, arguments: { ...inputOf(name), nonsense: 1 } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      success: false,
      error: { code: 'INVALID_INPUT', retryable: false },
    });
    expect(ajv.validate(tools.get(name)?.outputSchema ?? {}, result.structuredContent)).toBe(true);
    expect(await totalOf(name)).toBe(before + (name === 'trace_list' ? 2 : 1));
  });

  test('refuses wrong types in every argument', async () => {
    const properties = Object.keys((tools.get(name)?.inputSchema.properties as object) ?? {});
    for (const property of properties.filter(
      (key) => !(name === 'memory_store' && key === 'value') && !(name === 'config_set' && key === 'value'),
    )) {
      const { error } = await client.call(name, { ...inputOf(name), [property]: { wrong: true } });
      if (name === 'session_create' && property === 'metadata') continue;
      expect(error?.code, property).toMatch(/^(INVALID_INPUT|INVALID_FORMAT)$/);
      expect(error?.context.errors[0].path).toMatch(new RegExp(`^${property}`));
    }
  });
});

const totalOf = async (toolName: string): Promise<number> =>
  (await client.data('trace_list', { toolName, limit: 1 })).total;

test('INV-MCP-002: a tool that says it only reads changes nothing but the traces', async () => {
  const readers = [...tools.values()].filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
  expect(readers).toContain('memory_search');
  const before = await fingerprint(client.home);
  for (const name of readers) await client.call(name, inputOf(name));
  expect(await fingerprint(client.home)).toBe(before);
});

/** A hash of all that is stored but the traces. */
async function fingerprint(home: string): Promise<string> {
  const database = openDatabase({ file: join(home, 'automatosx.db'), synchronous: () => 'normal' });
  const content = await database.read((connection) =>
    ['memory', 'memory_counts', 'sessions', 'idempotency', 'artifacts', 'changes'].map((table) =>
      connection.all(`SELECT * FROM ${table}`),
    ),
  );
  await database.close();
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

test('everything is still there after a restart', async () => {
  await client.data('memory_store', { key: 'lasting', value: [1, 2, 3] });
  const { sessionId } = await client.data('session_create', { initiator: 'lead', task: 'outlive the process' });
  const { traces } = await client.data('trace_list', { limit: 1 });
  expect(await client.end()).toBe(0);

  client = await TestClient.start({ home: client.home });
  expect(await client.data('memory_retrieve', { key: 'lasting' })).toMatchObject({ found: true, value: [1, 2, 3] });
  expect(await client.data('session_status', { sessionId })).toMatchObject({ status: 'active' });
  expect(await client.data('trace_get', { traceId: traces[0].traceId })).toMatchObject({ status: 'success' });
  expect(await client.data('config_get', { path: 'limits.pageSize' })).toMatchObject({ value: 50, found: true });
});

test('every tool works on what an earlier process left behind', async () => {
  await client.end();
  client = await TestClient.start({ home: client.home });
  ids = await freshIds(data);
  for (const name of EXAMPLE_NAMES) {
    expect(await client.call(name, inputOf(name)), name).toMatchObject({ success: true });
  }
});
