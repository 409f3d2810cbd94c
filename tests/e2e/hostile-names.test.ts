import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.start({ program: 'fixture' });
});
afterEach(() => expect(client.stderr).toBe(''));
afterAll(() => client.kill());

/** Sends the JSON as it stands: an object literal would lose `__proto__`. */
let sent = 0;
const sendRaw = (json: string) => {
  const id = `raw-${++sent}`;
  client.write(`{"jsonrpc":"2.0","id":"${id}",${json}}\n`);
  return client.answerTo(id);
};

describe.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', (name) => {
  test('is no tool and no method', async () => {
    const { error } = await client.request('tools/call', { name, arguments: {} });
    expect(error).toMatchObject({ code: -32602, data: { toolName: name } });
    expect((await client.request(name)).error?.code).toBe(-32601);
  });

  test('is a namespace and a key like any other', async () => {
    expect(await client.data('memory_retrieve', { key: name, namespace: name })).toMatchObject({ found: false });
    await client.data('memory_store', { key: name, namespace: name, value: `own ${name}` });
    expect(await client.data('memory_retrieve', { key: name, namespace: name })).toMatchObject({
      value: `own ${name}`,
      version: 1,
    });
    expect((await client.data('memory_list', { namespace: name })).keys).toMatchObject([{ key: name }]);
    expect(await client.data('memory_delete', { key: name, namespace: name })).toMatchObject({ deleted: true });
  });

  test('is an argument that no tool has', async () => {
    const { result } = await sendRaw(
      `"method":"tools/call","params":{"name":"memory_list","arguments":{"${name}":{"limit":1}}}`,
    );
    expect(result.structuredContent).toMatchObject({ success: false, error: { code: 'INVALID_INPUT' } });
  });

  test('stands in for no argument, no param and no metadata', async () => {
    const call = '"method":"tools/call"';
    const input = '{"key":"injected","value":1}';
    const answers = await Promise.all([
      sendRaw(`${call},"params":{"name":"memory_store","arguments":{"${name}":${input}}}`),
      sendRaw(`${call},"params":{"name":"memory_store","${name}":{"arguments":${input}}}`),
      sendRaw(`${call},"params":{"name":"memory_store","_meta":{"${name}":{"automatosx/idempotencyKey":"k"}}}`),
    ]);
    for (const { result } of answers) expect(result.structuredContent.success).toBe(false);
    expect((await sendRaw(`${call},"params":{"${name}":{"name":"memory_list"}}`)).error?.code).toBe(-32602);
    expect((await sendRaw(`"${name}":{"method":"ping"}`)).error?.code).toBe(-32600);
    const list = await sendRaw(`"method":"tools/list","params":{"${name}":{"cursor":"x"},"_meta":{"${name}":{}}}`);
    expect(list.result.tools.length).toBeGreaterThan(5);
    expect(await client.data('memory_retrieve', { key: 'injected' })).toMatchObject({ found: false });
  });

  test('declares no version', async () => {
    const { result } = await sendRaw(
      `"method":"tools/list","params":{"_meta":{"${name}":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}}`,
    );
    expect(result).not.toHaveProperty('resultType');
  });

  test('in a value comes back as it was, and touches nothing else', async () => {
    const value = `{"${name}":{"polluted":true},"list":[{"${name}":1}]}`;
    await sendRaw(
      `"method":"tools/call","params":{"name":"memory_store","arguments":{"key":"value-${name}","value":${value}}}`,
    );
    const { result } = await client.request('tools/call', {
      name: 'memory_retrieve',
      arguments: { key: `value-${name}` },
    });
    expect(result.content[0].text).toContain(`"value":${value}`);
    expect(await client.data('test_echo', {})).toEqual({ echo: {} });
    const echoed = await sendRaw(`"method":"tools/call","params":{"name":"test_echo","arguments":{"a":${value}}}`);
    expect(echoed.result.content[0].text).toContain(value);
  });

  test('is no setting and no progress token', async () => {
    for (const path of [name, `limits.${name}`, `limits["${name}"]`, `${name}.polluted`]) {
      expect((await client.call('config_get', { path })).error?.context.toolCode).toBe('CONFIG_KEY_NOT_FOUND');
      expect((await client.call('config_set', { path, value: 1 })).success).toBe(false);
    }
    await client.call('test_wait', { ms: 1 }, { progressToken: name });
    expect(client.messages.filter(({ params }) => params?.progressToken === name)).toHaveLength(2);
  });
});
