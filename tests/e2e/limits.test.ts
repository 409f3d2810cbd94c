import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterAll(() => client.end());

test('a value of 100 KB fits, one byte more does not', async () => {
  const value = 'x'.repeat(102_400 - 2);
  expect(await client.call('memory_store', { key: 'large', value })).toMatchObject({ success: true });
  expect((await client.call('memory_store', { key: 'larger', value: `${value}x` })).error).toMatchObject({
    code: 'INVALID_INPUT',
    context: { toolCode: 'VALUE_TOO_LARGE', limit: 102_400, actual: 102_401 },
  });
});

test('an answer over 1 MiB is cut, says so, and the whole can be read', async () => {
  const { result } = await client.request('tools/call', { name: 'test_size', arguments: { items: 300, length: 8000 } });
  const { data, metadata } = result.structuredContent;
  expect(Buffer.byteLength(result.content[0].text)).toBeLessThanOrEqual(1_048_576);
  expect(metadata.truncated).toBe(true);
  expect(data.items.length).toBeLessThan(300);
  const link = result.content[1];
  expect(link).toMatchObject({ type: 'resource_link', uri: metadata.artifact });

  const whole = await client.request('resources/read', { uri: link.uri });
  expect(JSON.parse(whole.result.contents[0].text).items).toHaveLength(300);
  const part = await client.request('resources/read', { uri: `${link.uri}?offset=2&length=5` });
  expect(part.result.contents[0].text).toBe('items');
  const { traces } = await client.data('trace_list', { toolName: 'test_size' });
  const { issues } = await client.data('trace_analyze', { traceId: traces[0].traceId });
  expect(issues.map(({ type }: { type: string }) => type).join()).toMatch(/trunc/i);
});

test('many large values found by one search are cut the same way', async () => {
  for (let index = 0; index < 15; index++) {
    await client.data('memory_store', { key: `bulky-${index}`, value: 'y'.repeat(100_000) });
  }
  const { success, data, metadata } = await client.call('memory_search', { query: 'bulky-', limit: 100 });
  expect({ success, total: data.total, truncated: metadata.truncated }).toEqual({
    success: true,
    total: 15,
    truncated: true,
  });
});

test('following the cursors of answers that were cut misses nothing', async () => {
  const keys = Array.from({ length: 1500 }, (_, index) => `k${index}-`.padEnd(490, 'é'));
  for (let start = 0; start < keys.length; start += 100) {
    await Promise.all(
      keys.slice(start, start + 100).map((key) => client.data('memory_store', { key, value: 1, namespace: 'cut' })),
    );
  }
  const seen: string[] = [];
  let cuts = 0;
  for (let cursor: string | undefined, more = true; more; ) {
    const { data, metadata } = await client.call('memory_list', {
      namespace: 'cut',
      limit: 1000,
      ...(cursor && { cursor }),
    });
    seen.push(...data.keys.map(({ key }: { key: string }) => key));
    cuts += metadata.truncated ? 1 : 0;
    cursor = data.nextCursor;
    more = data.hasMore;
  }
  expect(cuts).toBeGreaterThan(0);
  expect(seen).toEqual(keys);
});

test('somebody asking for an artifact that is not there is told so', async () => {
  const { error } = await client.request('resources/read', { uri: 'artifact://00000000-0000-7000-8000-000000000000' });
  expect(error?.code).toBe(-32002);
});

test('a call that ignores its signal is answered in time', async () => {
  await client.data('config_set', { path: 'timeouts.toolOverrides.test_ignore_signal', value: 100 });
  const { error, metadata } = await client.call('test_ignore_signal', { ms: 3000 });
  expect(error).toMatchObject({ code: 'TOOL_TIMEOUT', retryable: true, context: { timeoutMs: 100 } });
  expect(metadata.durationMs).toBeLessThan(1000);
});

test('too much, too deep and too long are refused with path, limit and actual value', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });
  const refusals = await Promise.all([
    client.call('test_echo', { list: Array.from({ length: 101 }, () => 0) }),
    client.call('test_echo', { text: 'x'.repeat(100_001) }),
    client.call('test_echo', deep(11) as Record<string, unknown>),
  ]);
  expect(refusals.map(({ error }) => [error?.code, error?.context.errors[0]])).toEqual([
    ['ARRAY_TOO_LARGE', expect.objectContaining({ path: 'list', limit: 100, actual: 101 })],
    ['INVALID_INPUT', expect.objectContaining({ path: 'text', limit: 100_000, actual: 100_001 })],
    ['INVALID_INPUT', expect.objectContaining({ path: Array(10).fill('in').join('.'), limit: 10, actual: 11 })],
  ]);
  expect(await client.call('test_echo', deep(10) as Record<string, unknown>)).toMatchObject({ success: true });
});
