import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/client';
import type { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { olderSdkOverHttp, sdkOverHttp } from '../support/fuzz-sdk-clients.js';
import { type RunningServer, startHttpServer } from '../support/http-server.js';
import { BIN, NODE, ROOT, temporaryFolder } from '../support/paths.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.process.kill('SIGKILL'));

const stdioArguments = () => {
  const home = temporaryFolder();
  return [BIN, '--home', home, '--workspace', home];
};

const run = promisify(execFile);
const INSPECTOR = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli')),
  'cli.js',
);

/** The inspector finds its own package only from a folder whose parent has one. */
const inspect = async (target: readonly string[], words: readonly string[]) => {
  const { stdout } = await run(NODE, [INSPECTOR, '--cli', ...target, ...words], { cwd: join(ROOT, 'tests') });
  return JSON.parse(stdout);
};

describe.each<[string, () => readonly string[]]>([
  ['stdio', () => [NODE, ...stdioArguments()]],
  ['HTTP', () => [`${server.url}/mcp`]],
  ['HTTP+SSE', () => [`${server.url}/sse`]],
])("the inspector's command line, over %s", (_name, targetOf) => {
  let target: readonly string[];
  beforeAll(() => {
    target = targetOf();
  });

  test('lists tools and resources', async () => {
    const { tools } = await inspect(target, ['--method', 'tools/list']);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['memory_store', 'memory_retrieve']),
    );
    expect(await inspect(target, ['--method', 'resources/list'])).toMatchObject({ resources: expect.any(Array) });
    expect(await inspect(target, ['--method', 'resources/templates/list'])).toMatchObject({
      resourceTemplates: expect.any(Array),
    });
  });

  test('stores a value and gets it back', async () => {
    const call = (tool: string, ...given: string[]) =>
      inspect(target, ['--method', 'tools/call', '--tool-name', tool, ...given.flatMap((one) => ['--tool-arg', one])]);
    expect(await call('memory_store', 'key=plan', 'value={"steps":[1,2]}')).toMatchObject({
      structuredContent: { success: true, data: { key: 'plan' } },
    });
    expect(await call('memory_retrieve', 'key=plan')).toMatchObject({
      structuredContent: { success: true, data: { found: true, value: { steps: [1, 2] } } },
    });
  });

  test('lists prompts', async () => {
    const { prompts } = await inspect(target, ['--method', 'prompts/list']);
    expect(prompts.length).toBe(8);
  });
});

const textOf = (result: unknown) => JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '{}');

describe.each<[string, () => Parameters<typeof createMCPClient>[0]['transport']]>([
  ['stdio', () => new StdioTransport({ command: NODE, args: stdioArguments() })],
  ['HTTP', () => ({ type: 'http', url: `${server.url}/mcp` })],
  ['HTTP+SSE', () => ({ type: 'sse', url: `${server.url}/sse` })],
])('the AI SDK, over %s', (_name, transportOf) => {
  const connected = async (): Promise<MCPClient> => {
    const client = await createMCPClient({ transport: transportOf() });
    onTestFinished(() => client.close());
    return client;
  };

  test('lists tools and resources, and knows who serves it', async () => {
    const client = await connected();
    expect(client.serverInfo).toMatchObject({ name: 'automatosx-mcp' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['memory_store', 'memory_retrieve']));
    expect(await client.listResources()).toMatchObject({ resources: expect.any(Array) });
  });

  test('stores a value and gets it back, and hears of a failure', async () => {
    const tools = await (await connected()).tools();
    const call = async (name: string, input: object) =>
      textOf(await tools[name]?.execute?.(input, { toolCallId: '1', messages: [] }));
    expect(await call('memory_store', { key: 'sdk', value: { steps: [3] } })).toMatchObject({ success: true });
    expect(await call('memory_retrieve', { key: 'sdk' })).toMatchObject({ data: { value: { steps: [3] } } });
    expect(await call('trace_get', { traceId: 'none' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

describe.each<[string, () => Promise<Client | OlderClient>, string | undefined]>([
  ['client 2.4, negotiating by itself', async () => (await sdkOverHttp(server.url, 'auto')).client, '2026-07-28'],
  ['client 2.4, stateless', async () => (await sdkOverHttp(server.url, { pin: '2026-07-28' })).client, '2026-07-28'],
  ['client 2.4, by handshake', async () => (await sdkOverHttp(server.url, 'legacy')).client, '2025-11-25'],
  ['sdk 1.32', async () => (await olderSdkOverHttp(server.url)).client, undefined],
])('the official %s, over HTTP', (_name, connect, version) => {
  test('lists, stores and gets back, and hears of failures', async () => {
    const client = await connect();
    onTestFinished(() => client.close());
    if (client instanceof Client) expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('memory_store');
    await client.callTool({ name: 'memory_store', arguments: { key: 'official', value: [1] } });
    expect(await client.callTool({ name: 'memory_retrieve', arguments: { key: 'official' } })).toMatchObject({
      structuredContent: { data: { value: [1] } },
    });
    expect(await client.callTool({ name: 'trace_get', arguments: { traceId: 'none' } })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'NOT_FOUND' } },
    });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'artifact://none' })).rejects.toThrow(/not found/i);
  });
});
