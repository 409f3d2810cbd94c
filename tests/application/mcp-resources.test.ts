import {
  CompleteResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';
import { describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.js';
import { served } from '../support/served.js';
import { started } from '../support/started.js';

const RESOURCES = [
  'automatosx://workflows',
  'automatosx://agents',
  'agents://available',
  'automatosx://policies',
  'memory://conversations',
  'automatosx://sessions/active',
  'sessions://active',
  'memory://entries',
  'traces://recent',
];

const TEMPLATES = [
  'automatosx://workflows/{id}',
  'automatosx://agents/{id}',
  'automatosx://policies/{id}',
  'memory://conversations/{id}',
  'memory://entries/{namespace}/{key}',
  'memory://entries/{key}',
  'traces://{id}',
  'traces://recent/{id}',
  'artifact://{id}{?offset,length}',
];

const MISSING_ID = '6f1c2f4e-8a58-4d55-9c0b-0d7c9b1f2a3e';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A server with an open connection, and ways to ask it. */
async function connected(version: string) {
  const server = served();
  if (version !== '2026-07-28') await server.open(version);
  const request = (method: string, params: Record<string, unknown> = {}) =>
    server.request(method, version === '2026-07-28' ? { ...params, _meta: META } : params);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { result } = await request('tools/call', { name, arguments: input });
    return JSON.parse(result.content[0].text).data;
  };
  const read = async (uri: string) => {
    const { result } = await request('resources/read', { uri });
    return JSON.parse(
      ReadResourceResultSchema.parse(result)
        .contents.map((part) => 'text' in part && part.text)
        .join(),
    );
  };
  const complete = async (uri: string, name: string, value: string, chosen: Record<string, string> = {}) => {
    const ref = { type: 'ref/resource', uri };
    const context = { arguments: chosen };
    const { result } = await request('completion/complete', { ref, argument: { name, value }, context });
    return CompleteResultSchema.parse(result).completion;
  };
  return { ...server, request, call, read, complete };
}

/** All pages of a list. */
async function pagesOf(request: Awaited<ReturnType<typeof connected>>['request'], method: string) {
  const pages: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await request(method, cursor === undefined ? {} : { cursor });
    pages.push(result);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe.each(['2025-11-25', '2026-07-28'])('%s', (version) => {
  const notFound = version === '2026-07-28' ? -32602 : -32002;

  test('INV-MCP-RES-002: every resource and every template is listed, with a name, a description and its type', async () => {
    const { request } = await connected(version);
    const { resources } = ListResourcesResultSchema.parse((await request('resources/list')).result);
    const { result } = await request('resources/templates/list');
    const { resourceTemplates } = ListResourceTemplatesResultSchema.parse(result);
    expect(resources.map(({ uri }) => uri)).toEqual(RESOURCES);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(TEMPLATES);
    for (const { name, description, mimeType } of [...resources, ...resourceTemplates]) {
      expect([name, description, mimeType]).toEqual([
        expect.stringMatching(/\w/),
        expect.stringMatching(/\w/),
        'application/json',
      ]);
    }
    for (const { uri } of resources) expect(new URL(uri).href).toBe(uri);
  });

  test('lists come in pages, and a cursor that was not given out is refused', async () => {
    const { request, call } = await connected(version);
    await call('config_set', { path: 'limits.pageSize', value: 4 });
    const pages = await pagesOf(request, 'resources/list');
    expect(pages.map(({ resources }) => (resources as unknown[]).length)).toEqual([4, 4, 1]);
    expect(pages.flatMap(({ resources }) => (resources as { uri: string }[]).map(({ uri }) => uri))).toEqual(RESOURCES);
    const templates = await pagesOf(request, 'resources/templates/list');
    expect(templates.map(({ resourceTemplates }) => (resourceTemplates as unknown[]).length)).toEqual([4, 4, 1]);
    const foreign = pages[0]?.nextCursor as string;
    expect((await request('resources/templates/list', { cursor: foreign })).error?.code).toBe(-32602);
    expect((await request('resources/list', { cursor: 'x' })).error?.code).toBe(-32602);
  });

  test.each(RESOURCES)(
    'INV-MCP-RES-003: %s is read as JSON text: an array, its total, and whether there is more',
    async (uri) => {
      const { request } = await connected(version);
      const { result } = await request('resources/read', { uri });
      expect(result.contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
      const { total, hasMore, ...rest } = JSON.parse(result.contents[0].text);
      const [items] = Object.values(rest) as [unknown[]];
      expect([Object.keys(rest).length, items.length, hasMore]).toEqual([1, total, false]);
      if (version === '2026-07-28') expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    },
  );

  test('what is stored is read: entries, sessions, traces and policies', async () => {
    const { call, read } = await connected(version);
    await call('memory_store', { key: 'a/b c', value: { deep: ['ü'] }, namespace: 'team/ä' });
    await call('memory_store', { key: 'plain', value: null });
    const { sessionId } = await call('session_create', { initiator: 'lead', task: 'work' });
    const { traces, total } = await call('trace_list', { limit: 1 });

    expect(await read('memory://entries')).toMatchObject({
      entries: [
        { key: 'plain', namespace: 'default', version: 1, size: 4 },
        { key: 'a/b c', namespace: 'team/ä' },
      ],
      total: 2,
    });
    expect(await read('memory://entries/team%2F%C3%A4/a%2Fb%20c')).toMatchObject({
      value: { deep: ['ü'] },
      version: 1,
    });
    expect(await read('memory://entries/plain')).toMatchObject({ namespace: 'default', value: null });
    for (const uri of ['sessions://active', 'automatosx://sessions/active']) {
      const participants = [{ agentId: 'lead', role: 'initiator' }];
      expect(await read(uri)).toMatchObject({ sessions: [{ sessionId, participants }], total: 1 });
    }
    const { traceId } = traces[0];
    // The call of trace_list left a trace too.
    expect(await read('traces://recent')).toMatchObject({ total: total + 1, traces: [{}, { traceId }, {}, {}] });
    for (const uri of [`traces://${traceId}`, `traces://recent/${traceId}`]) {
      expect(await read(uri)).toMatchObject({
        traceId,
        toolName: 'session_create',
        events: [{ type: 'run.start' }, {}, {}, {}],
      });
    }
    expect(await read('automatosx://policies/mcp-runtime-policy')).toMatchObject({ gates: [{}, {}, {}, {}] });
    expect(await read('automatosx://workflows')).toEqual({ workflows: [], total: 0, hasMore: false });
  });

  test.each([
    ...['automatosx://workflows/none', 'automatosx://agents/none', 'automatosx://policies/none', 'agents://none'],
    ...['memory://conversations/none', 'memory://entries/none', 'memory://entries/none/none', `traces://${MISSING_ID}`],
    ...[`traces://recent/${MISSING_ID}`, `artifact://${MISSING_ID}`, 'sessions://active/one', 'file:///etc/passwd'],
    ...['memory://entries/%', 'memory://entries/%zz', 'memory://entries/%FF', 'memory://entries/stored%00', '', 'x'],
    ...[
      'memory://entries/../../stored',
      'memory://entries//stored',
      'memory://entries/stored?x',
      'memory:stored',
      '\u0000',
    ],
    ...[
      'automatosx://policies/__proto__',
      'automatosx://agents/constructor',
      'memory://entries/{key}',
      'memory://entries/st ored',
    ],
    `memory://entries/${'a'.repeat(1900)}`,
  ])('INV-MCP-RES-002: %j names nothing, which is an error that names it', async (uri) => {
    const { request, call, logged } = await connected(version);
    await call('memory_store', { key: 'stored', value: 1 });
    const { error } = await request('resources/read', { uri });
    expect(error).toEqual({ code: notFound, message: 'Resource not found', data: { uri } });
    expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('INV-MCP-RES-001: reading changes nothing, and there is no way to write', async () => {
    const { request, call, home } = await connected(version);
    await call('memory_store', { key: 'stored', value: 1 });
    await call('session_create', { initiator: 'lead', task: 'work' });
    const stored = () =>
      inDatabase(home, (connection) =>
        ['memory', 'memory_counts', 'sessions', 'traces', 'artifacts', 'idempotency', 'changes'].map((table) =>
          connection.all(`SELECT * FROM ${table}`),
        ),
      );
    const before = await stored();
    const uris = [...RESOURCES, 'memory://entries/stored', 'automatosx://policies/mcp-runtime-policy'];
    const texts = async () => {
      const answers = await Promise.all(uris.map((uri) => request('resources/read', { uri })));
      return answers.map(({ result }) => result.contents[0].text);
    };
    expect(await texts()).toEqual(await texts());
    for (const verb of ['write', 'create', 'update', 'delete', 'set']) {
      const params = { uri: 'memory://entries/stored', contents: [{ uri: 'memory://entries/stored', text: '2' }] };
      expect((await request(`resources/${verb}`, params)).error?.code).toBe(-32601);
    }
    expect(await stored()).toEqual(before);
  });

  test('variables of templates are completed', async () => {
    const { call, complete } = await connected(version);
    await call('memory_store', { key: 'plan/a', value: 1, namespace: 'team one' });
    await call('memory_store', { key: 'plan', value: 1 });
    const { traces } = await call('trace_list', { limit: 1 });
    const entry = 'memory://entries/{namespace}/{key}';
    expect(await complete(entry, 'namespace', 't')).toEqual({ values: ['team one'], total: 1, hasMore: false });
    expect((await complete(entry, 'key', 'pl', { namespace: 'team one' })).values).toEqual(['plan/a']);
    expect((await complete('memory://entries/{key}', 'key', 'pl')).values).toEqual(['plan']);
    expect((await complete('traces://{id}', 'id', '')).values).toHaveLength(3);
    expect((await complete('traces://recent/{id}', 'id', traces[0].traceId)).values).toEqual([traces[0].traceId]);
    expect((await complete('automatosx://policies/{id}', 'id', 'mcp')).values).toEqual(['mcp-runtime-policy']);
    expect((await complete('automatosx://agents/{id}', 'id', '')).values).toEqual([]);
    expect((await complete('artifact://{id}{?offset,length}', 'id', '')).values).toEqual([]);
  });

  test('more than a hundred values are completed with the first hundred, and that there are more', async () => {
    const { call, complete } = await connected(version);
    await Promise.all(Array.from({ length: 105 }, (_, index) => call('memory_store', { key: `k${index}`, value: 1 })));
    const { values, hasMore } = await complete('memory://entries/{key}', 'key', 'k');
    expect([values.length, values[0], hasMore]).toEqual([100, 'k104', true]);
  });
});

test('a trace is read by who caused it, memory by all', async () => {
  const { server, call } = await connected('2025-11-25');
  await call('memory_store', { key: 'shared', value: 'for all' });
  const { traces } = await call('trace_list', { limit: 1 });
  const answers: string[] = [];
  const connection = server.connect({
    principal: 'bob',
    isLocal: true,
    send: (message) => void answers.push(message),
    onShutdown: () => {},
  });
  const ask = async (uri: string) => {
    const message = { jsonrpc: '2.0', id: uri, method: 'resources/read', params: { uri, _meta: META } };
    await connection.accept(message, 100);
    return JSON.parse(answers.at(-1) ?? '');
  };
  expect((await ask(`traces://${traces[0].traceId}`)).error.code).toBe(-32602);
  expect((await ask('traces://recent')).result.contents[0].text).toBe('{"traces":[],"total":0,"hasMore":false}');
  expect((await ask('memory://entries/shared')).result.contents[0].text).toContain('"value":"for all"');
});

test('who subscribed hears of every change, also of what did not exist yet', async () => {
  const { request, notify, call, messages } = await connected('2025-11-25');
  notify('notifications/initialized');
  const uris = ['memory://entries', 'memory://entries/default/later', 'sessions://active', 'traces://recent'];
  for (const uri of uris) expect((await request('resources/subscribe', { uri })).result).toEqual({});
  expect((await request('resources/subscribe', { uri: 'memory://entries/%' })).error?.code).toBe(-32002);
  const heardOf = () =>
    messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params.uri);
  await call('memory_store', { key: 'later', value: 1 });
  await vi.waitFor(() => expect(heardOf()).toEqual(expect.arrayContaining(uris.filter((uri) => !/session/.test(uri)))));
  expect(heardOf()).not.toContain('sessions://active');
  await call('session_create', { initiator: 'lead', task: 'work' });
  await vi.waitFor(() => expect(heardOf()).toContain('sessions://active'));
});

test('the program serves them: listed, read, completed, and not found', async () => {
  const client = await started();
  const { result } = await client.request('resources/list');
  expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual(RESOURCES);
  await client.data('memory_store', { key: 'größe', value: 'kept' });
  const read = await client.request('resources/read', { uri: 'memory://entries/gr%C3%B6%C3%9Fe' });
  expect(JSON.parse(read.result.contents[0].text)).toMatchObject({ key: 'größe', value: 'kept' });
  const completed = await client.request('completion/complete', {
    ref: { type: 'ref/resource', uri: 'memory://entries/{key}' },
    argument: { name: 'key', value: 'gr' },
  });
  expect(completed.result.completion.values).toEqual(['größe']);
  expect((await client.request('resources/read', { uri: 'memory://entries/%' })).error?.code).toBe(-32002);
});
