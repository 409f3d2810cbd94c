import { describe, expect, test } from 'vitest';
import { served } from '../../../../../tests/support/served.js';
import type { ResourceSource } from '../../resources/resource.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const source: ResourceSource = {
  resources: [{ uri: 'test://one', name: 'one', title: 'One' }],
  templates: [{ uriTemplate: 'test://{id}', name: 'each', title: 'Each' }],
  read: async (uri, { principal }) => (uri.startsWith('test://') ? [{ uri, text: principal }] : undefined),
  stamp: () => undefined,
};

const withSource = () => served({ extra: { resources: [source] } });

describe('reading', () => {
  test('gives what the source that knows the URI holds', async () => {
    const { open, request } = withSource();
    await open();
    expect((await request('resources/read', { uri: 'test://two' })).result.contents).toEqual([
      { uri: 'test://two', text: expect.any(String) },
    ]);
    expect((await request('resources/read', { uri: 'memory://entries' })).result.contents).toHaveLength(1);
  });

  test('may be kept by nobody but who asked, and must be asked for again', async () => {
    const { request } = withSource();
    expect((await request('resources/read', { uri: 'test://two', _meta: META })).result).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
      resultType: 'complete',
    });
  });

  test('what nobody knows is -32002 in the handshake era and -32602 in the stateless one', async () => {
    const { open, request } = withSource();
    await open();
    const uri = 'nothing://here';
    expect((await request('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } });
    expect((await request('resources/read', { uri, _meta: META })).error).toMatchObject({
      code: -32602,
      data: { uri },
    });
  });

  test('a URI that is too long, or none, is refused', async () => {
    const { open, request } = withSource();
    await open();
    for (const uri of ['x'.repeat(10_001), 5, undefined]) {
      expect((await request('resources/read', { uri })).error?.code).toBe(-32602);
    }
  });
});

test('lists leave out titles where the version has none', async () => {
  const { open, request } = withSource();
  await open('2025-03-26');
  const { resources } = (await request('resources/list')).result;
  const { resourceTemplates } = (await request('resources/templates/list')).result;
  expect(resources).toContainEqual({ uri: 'test://one', name: 'one' });
  expect(resourceTemplates).toContainEqual({ uriTemplate: 'test://{id}', name: 'each' });
  for (const listed of [...resources, ...resourceTemplates]) expect(listed).not.toHaveProperty('title');
});
