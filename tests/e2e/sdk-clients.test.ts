import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIXTURE, NODE, temporaryFolder } from '../support/paths.js';

type AnyClient = Client | OlderClient;
type Call = { name: string; arguments: Record<string, unknown> };
type Options = { onprogress?: (update: { progress: number }) => void; signal?: AbortSignal };

const INFO = { name: 'test', version: '1' };

/** How the official clients start the server: with small pages, so that lists have several. */
function parameters() {
  const home = temporaryFolder();
  const config = join(home, 'settings.json');
  writeFileSync(config, '{"limits": {"pageSize": 5}}');
  return { command: NODE, args: [FIXTURE, '--home', home, '--config', config], stderr: 'pipe' as const };
}

async function connected(mode: 'auto' | 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(parameters()));
  return client;
}

async function olderConnected(): Promise<OlderClient> {
  const client = new OlderClient(INFO);
  await client.connect(new OlderTransport(parameters()));
  return client;
}

const callWith = (client: AnyClient, call: Call, options: Options) =>
  client instanceof Client ? client.callTool(call, options) : client.callTool(call, undefined, options);

async function allTools(client: AnyClient): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined && names.length < 500);
  return names;
}

describe.each<[string, () => Promise<AnyClient>, { isStateless: boolean }]>([
  ['client 2.4, negotiating by itself', () => connected('auto'), { isStateless: true }],
  ['client 2.4, stateless by wish', () => connected({ pin: '2026-07-28' }), { isStateless: true }],
  ['client 2.4, by handshake', () => connected('legacy'), { isStateless: false }],
  ['sdk 1.32', olderConnected, { isStateless: false }],
])('the official %s', (_name, connect, { isStateless }) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test('knows who serves it', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'automatosx-mcp' });
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} });
    expect(client.getInstructions()).toContain('memory_store');
    if (client instanceof Client) {
      expect(client.getNegotiatedProtocolVersion()).toBe(isStateless ? '2026-07-28' : '2025-11-25');
    }
    if (!isStateless) expect(await client.ping()).toEqual({});
  });

  test('finds every tool, once, though they are on several pages', async () => {
    const names = await allTools(client);
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['memory_store', 'session_create', 'trace_get', 'config_show']));
  });

  test('accepts what calls answer, success and failure', async () => {
    await allTools(client); // From now on it checks answers against the output schemas.
    const stored = await client.callTool({
      name: 'memory_store',
      arguments: { key: 'plan', value: { steps: [1, 2] } },
    });
    expect(stored).toMatchObject({ structuredContent: { success: true, data: { key: 'plan', version: 1 } } });
    const failures = [
      { call: { name: 'trace_get', arguments: { traceId: 'none' } }, code: 'NOT_FOUND' },
      { call: { name: 'memory_store', arguments: { key: 'plan' } }, code: 'MISSING_REQUIRED_FIELD' },
    ];
    for (const { call, code } of failures) {
      const failed = await client.callTool(call);
      expect(failed).toMatchObject({ isError: true, structuredContent: { success: false, error: { code } } });
    }
  });

  test('is told of an unknown tool and an unknown resource', async () => {
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'artifact://none' })).rejects.toThrow(/not found/i);
  });

  test('hears how far a call is, and can give it up', async () => {
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    await callWith(client, { name: 'test_wait', arguments: { ms: 100 } }, { onprogress });
    expect(steps[0]).toBe(0);

    const controller = new AbortController();
    const given = callWith(client, { name: 'test_wait', arguments: { ms: 20_000 } }, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('changed my mind')), 50);
    await expect(given).rejects.toThrow('changed my mind');
    const traced = () => client.callTool({ name: 'trace_list', arguments: { toolName: 'test_wait' } });
    await expect
      .poll(async () => (await traced()).structuredContent, { timeout: 5000 })
      .toMatchObject({ data: { traces: [{ toolCode: 'CANCELLED' }, { status: 'success' }] } });
  });
});
