import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/paths.js';
import { started } from '../support/started.js';
import type { TestClient, Version } from '../support/test-client.js';

/** What a client of each version may see, pinned. */
const SEES: Record<string, { annotations: boolean; structured: boolean; description: boolean; code: number }> = {
  '2024-11-05': { annotations: false, structured: false, description: false, code: -32002 },
  '2025-03-26': { annotations: true, structured: false, description: false, code: -32002 },
  '2025-06-18': { annotations: true, structured: true, description: false, code: -32002 },
  '2025-11-25': { annotations: true, structured: true, description: true, code: -32002 },
  '2026-07-28': { annotations: true, structured: true, description: true, code: -32602 },
};

const STATELESS_ONLY = ['resultType', 'ttlMs', 'cacheScope', '_meta'];
const TOO_LARGE = { name: 'test_size', arguments: { items: 300, length: 8000 } };

async function resultsOf(client: TestClient) {
  const list = (await client.request('tools/list')).result;
  const success = (await client.request('tools/call', { name: 'memory_store', arguments: { key: 'a', value: 1 } }))
    .result;
  const failure = (await client.request('tools/call', { name: 'memory_store', arguments: { key: 'a' } })).result;
  const cut = (await client.request('tools/call', TOO_LARGE)).result;
  const read = (await client.request('resources/read', { uri: JSON.parse(cut.content[0].text).metadata.artifact }))
    .result;
  const templates = (await client.request('resources/templates/list')).result;
  const resources = (await client.request('resources/list')).result;
  return { list, success, failure, cut, read, templates, resources };
}

describe.each(Object.keys(SEES) as Version[])('a client of %s', (version) => {
  const { annotations, structured, description, code } = SEES[version] as (typeof SEES)[string];

  test('sees what its version has, and nothing else', async () => {
    const client = await started({ version, program: 'fixture' });
    const { list, success, failure, cut, ...others } = await resultsOf(client);

    for (const tool of list.tools) {
      expect('annotations' in tool, tool.name).toBe(annotations);
      expect('title' in tool, tool.name).toBe(structured);
      expect('outputSchema' in tool, tool.name).toBe(structured);
      expect(tool.inputSchema.type).toBe('object');
    }
    for (const result of [success, failure, cut]) {
      expect('structuredContent' in result).toBe(structured);
      if (structured) expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    }
    expect(success.isError).toBeUndefined();
    expect(failure.isError).toBe(true);
    expect(cut.content.map(({ type }: { type: string }) => type)).toEqual(
      structured ? ['text', 'resource_link'] : ['text'],
    );
    const isStateless = version === '2026-07-28';
    for (const result of [list, success, failure, cut, ...Object.values(others)]) {
      if (!isStateless) expect(Object.keys(result).filter((key) => STATELESS_ONLY.includes(key))).toEqual([]);
    }
    const { error } = await client.request('resources/read', { uri: 'artifact://unknown' });
    expect(error).toMatchObject({ code, data: { uri: 'artifact://unknown' } });
  });

  test('is told who serves it as far as its version knows of it', async () => {
    const home = homeWith({ server: { name: 'house', version: '9.9.9', description: 'Ours' } });
    const client = await started({ version, home });
    const { result } =
      version === '2026-07-28' ? await client.request('server/discover') : (client.messages[0] ?? { result: {} });
    const info = result.serverInfo ?? result._meta['io.modelcontextprotocol/serverInfo'];
    expect(info).toEqual({ name: 'house', version: '9.9.9', ...(description && { description: 'Ours' }) });
  });
});

function homeWith(configuration: object): string {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.json'), JSON.stringify(configuration));
  return home;
}
