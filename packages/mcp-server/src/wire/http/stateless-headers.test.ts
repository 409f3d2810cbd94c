import { describe, expect, test } from 'vitest';
import { checkHeaders, checkVersionHeader } from './stateless-headers.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const mismatch = (message: string) => expect.objectContaining({ code: -32020, message: `Header mismatch: ${message}` });
const noSchema = () => undefined;

const check = (method: string, params: unknown, headers: Record<string, string> = {}) =>
  checkHeaders({ headers: { 'mcp-method': method, ...headers }, message: { method, params } }, noSchema);

describe('the version', () => {
  const params = { _meta: { [VERSION]: '2026-07-28' } };

  test('in the header is the one in the body', () => {
    expect(() => checkVersionHeader('2026-07-28', params)).not.toThrow();
    expect(() => checkVersionHeader(undefined, params)).toThrow(mismatch('MCP-Protocol-Version is missing'));
    expect(() => checkVersionHeader('2025-11-25', params)).toThrow(
      mismatch('MCP-Protocol-Version contradicts the body'),
    );
  });

  test.each([undefined, 5, [], {}, { _meta: 5 }, { _meta: {} }, { _meta: { [VERSION]: 5 } }])(
    'is not compared where the body has none: %j',
    (without) => {
      expect(() => checkVersionHeader('2025-11-25', without)).not.toThrow();
    },
  );
});

describe('the method', () => {
  test('must stand in its header, as it is in the body', () => {
    const message = { method: 'tools/list' };
    expect(() => checkHeaders({ headers: { 'mcp-method': 'tools/list' }, message }, noSchema)).not.toThrow();
    expect(() => checkHeaders({ headers: {}, message }, noSchema)).toThrow(mismatch('Mcp-Method is missing'));
    for (const other of ['tools/call', 'Tools/List', '']) {
      expect(() => checkHeaders({ headers: { 'mcp-method': other }, message }, noSchema)).toThrow(
        mismatch('Mcp-Method contradicts the body'),
      );
    }
  });
});

describe('the name', () => {
  test.each([
    ['tools/call', { name: 'a' }],
    ['prompts/get', { name: 'a' }],
    ['resources/read', { uri: 'a' }],
    ['tasks/get', { taskId: 'a' }],
    ['tasks/update', { taskId: 'a' }],
    ['tasks/cancel', { taskId: 'a' }],
  ])('of %s is %j', (method, params) => {
    expect(() => check(method, params, { 'mcp-name': 'a' })).not.toThrow();
    expect(() => check(method, params)).toThrow(mismatch('Mcp-Name is missing'));
    expect(() => check(method, params, { 'mcp-name': 'b' })).toThrow(mismatch('Mcp-Name contradicts the body'));
  });

  test('may come in Base64, and must where no header can hold it', () => {
    expect(() =>
      check('resources/read', { uri: 'memory://ä/😀' }, { 'mcp-name': base64('memory://ä/😀') }),
    ).not.toThrow();
    expect(() => check('tools/call', { name: 'a' }, { 'mcp-name': base64('a') })).not.toThrow();
    expect(() => check('tools/call', { name: 'a' }, { 'mcp-name': base64('b') })).toThrow(
      mismatch('Mcp-Name contradicts the body'),
    );
  });

  test.each(['=?base64?%%%?=', '=?base64?YQ?=', '=?base64?YQ= =?='])('in bad Base64 is refused: %s', (header) => {
    expect(() => check('tools/call', { name: 'a' }, { 'mcp-name': header })).toThrow(
      mismatch('Mcp-Name is not valid Base64'),
    );
  });

  test('is not asked for by other methods, nor where the body has none', () => {
    for (const params of [undefined, 5, {}, { name: 5 }]) {
      expect(() => check('tools/call', params, { 'mcp-name': 'whatever' })).not.toThrow();
    }
    expect(() => check('tools/list', { name: 'a' })).not.toThrow();
  });
});

describe('parameters that the schema marks', () => {
  const schema = {
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      size: { type: 'integer', 'x-mcp-header': 'Size' },
      isDry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      target: { properties: { tenant: { type: 'string', 'x-mcp-header': 'Tenant' } } },
      list: { items: { properties: { id: { 'x-mcp-header': 'Id' } } } },
    },
  };
  const called = (input: unknown, headers: Record<string, string | string[]> = {}) => {
    const message = { method: 'tools/call', params: { name: 'deploy', arguments: input } };
    const own = { 'mcp-method': 'tools/call', 'mcp-name': 'deploy', ...headers };
    checkHeaders({ headers: own, message }, (tool) => (tool === 'deploy' ? schema : undefined));
  };

  test('are repeated in headers of their own', () => {
    const headers = {
      'mcp-param-region': 'eu',
      'mcp-param-size': '5',
      'mcp-param-dry': 'true',
      'mcp-param-tenant': base64('Zoë'),
    };
    expect(() => called({ region: 'eu', size: 5, isDry: true, target: { tenant: 'Zoë' } }, headers)).not.toThrow();
  });

  test.each([
    [{ region: 'eu' }, {}, 'Mcp-Param-Region is missing'],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 'Mcp-Param-Region contradicts the body'],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?!?=' }, 'Mcp-Param-Region is not valid Base64'],
    [{ region: 'eu' }, { 'mcp-param-region': ['eu', 'us'] }, 'Mcp-Param-Region contradicts the body'],
    [{ size: 5 }, {}, 'Mcp-Param-Size is missing'],
    [{ size: 0 }, { 'mcp-param-size': '' }, 'Mcp-Param-Size contradicts the body'],
    [{ size: 5 }, { 'mcp-param-size': '6' }, 'Mcp-Param-Size contradicts the body'],
    [{ isDry: false }, { 'mcp-param-dry': 'true' }, 'Mcp-Param-Dry contradicts the body'],
    [{ target: { tenant: 'a' } }, {}, 'Mcp-Param-Tenant is missing'],
    [{}, { 'mcp-param-region': 'eu' }, 'Mcp-Param-Region has no value in the body'],
    [{ region: null }, { 'mcp-param-region': 'null' }, 'Mcp-Param-Region has no value in the body'],
    [undefined, { 'mcp-param-region': 'eu' }, 'Mcp-Param-Region has no value in the body'],
    [{ target: 'text' }, { 'mcp-param-tenant': 'eu' }, 'Mcp-Param-Tenant has no value in the body'],
  ])('%j with %j is refused: %s', (input, headers, reason) => {
    expect(() => called(input, headers as Record<string, string | string[]>)).toThrow(mismatch(reason));
  });

  test.each(['5', '5.0', '0005', '5e0'])('that are numbers are compared as numbers: 5 is %s', (text) => {
    expect(() => called({ size: 5 }, { 'mcp-param-size': text })).not.toThrow();
  });

  test('that have no value need no header', () => {
    for (const input of [{}, undefined, { region: null, size: undefined, target: {} }]) {
      expect(() => called(input)).not.toThrow();
    }
  });

  test('below items are not reached', () => {
    expect(() => called({ list: [{ id: 'a' }] })).not.toThrow();
    expect(() => called({ list: [{ id: 'a' }] }, { 'mcp-param-id': 'b' })).not.toThrow();
  });

  test('named like what every object has are missing where they are not given', () => {
    const odd = { properties: { constructor: { type: 'string', 'x-mcp-header': 'Builder' } } };
    const message = { method: 'tools/call', params: { name: 'deploy', arguments: {} } };
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'deploy' };
    expect(() => checkHeaders({ headers, message }, () => odd)).not.toThrow();
  });
});
