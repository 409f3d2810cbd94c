import { describe, expect, test } from 'vitest';
import { served } from '../../../../tests/support/served.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

test('initialize tells version, capabilities, identity and instructions', async () => {
  const { open } = served();
  expect((await open('2024-11-05')).result).toEqual({
    protocolVersion: '2024-11-05',
    capabilities: expect.objectContaining(CAPABILITIES),
    serverInfo: { name: 'automatosx-mcp', version: '1.2.3' },
    instructions: expect.stringContaining('memory_store'),
  });
});

test('server/discover tells the same to stateless clients', async () => {
  const { request } = served();
  expect((await request('server/discover', { _meta: META })).result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: CAPABILITIES,
    instructions: expect.stringContaining('memory_store'),
    resultType: 'complete',
    ttlMs: 3_600_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'automatosx-mcp', version: '1.2.3' } },
  });
});

describe('lists', () => {
  test('come in pages of the size that is configured, and each cursor belongs to its list', async () => {
    const { open, request } = served();
    await open();
    const set = { name: 'config_set', arguments: { path: 'limits.pageSize', value: 7 } };
    expect((await request('tools/call', set)).result.structuredContent.success).toBe(true);
    const first = (await request('tools/list')).result;
    const second = (await request('tools/list', { cursor: first.nextCursor })).result;
    expect(first.tools).toHaveLength(7);
    expect(second.tools[0].name).not.toBe(first.tools[0].name);
    for (const method of ['resources/list', 'resources/templates/list']) {
      expect((await request(method, { cursor: first.nextCursor })).error?.code).toBe(-32602);
    }
  });

  test('resources and templates are listed, each once', async () => {
    const { open, request } = served();
    await open();
    const { resources } = (await request('resources/list')).result;
    const { resourceTemplates } = (await request('resources/templates/list')).result;
    const uris: string[] = resources.map(({ uri }: { uri: string }) => uri);
    const templates: string[] = resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate);
    expect(uris).toEqual(expect.arrayContaining(['memory://entries', 'sessions://active', 'traces://recent']));
    expect(templates).toContain('artifact://{id}{?offset,length}');
    for (const list of [uris, templates]) expect(new Set(list).size).toBe(list.length);
  });
});

test('what the selection leaves out is neither listed nor called', async () => {
  const { open, request } = served({ toolSelection: 'memory_list' });
  await open();
  expect((await request('tools/list')).result.tools).toHaveLength(1);
  expect((await request('tools/call', { name: 'memory_store', arguments: {} })).error?.code).toBe(-32602);
});

test('a selection of what is not there is refused with the nearest name', () => {
  expect(() => served({ toolSelection: 'memory_lst' })).toThrow(/memory_lst.*memory_list/);
});
