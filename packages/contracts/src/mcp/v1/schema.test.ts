import { describe, expect, test } from 'vitest';
import { HANDSHAKE_VERSIONS, MCPServerConfigSchema, META, STATELESS_VERSIONS } from './schema.js';

test('the protocol versions are these, oldest first', () => {
  expect(HANDSHAKE_VERSIONS).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
  expect(STATELESS_VERSIONS).toEqual(['2026-07-28']);
});

test('what is ours in a request has our prefix', () => {
  expect(META).toEqual({ idempotencyKey: 'automatosx/idempotencyKey', sessionId: 'automatosx/sessionId' });
});

test('the server is called automatosx-mcp', () => {
  expect(MCPServerConfigSchema.parse({})).toMatchObject({ name: 'automatosx-mcp' });
});

test('nobody but this machine may call unless told', () => {
  expect(MCPServerConfigSchema.parse({})).toEqual({
    name: 'automatosx-mcp',
    allowedHosts: [],
    allowedOrigins: [],
    tokens: [],
  });
});

describe('OAuth', () => {
  const resource = 'https://mcp.example.com/mcp';
  const issuers = [{ issuer: 'https://login.example.com/tenant' }];
  const parse = (oauth: unknown) => MCPServerConfigSchema.safeParse({ oauth });

  test('needs a resource and an issuer', () => {
    expect(parse({ resource, issuers }).data?.oauth).toEqual({ resource, issuers, scopes: [] });
  });

  test('takes the keys, the audience and the scopes too', () => {
    const oauth = {
      resource: 'http://localhost:8808/mcp',
      issuers: [{ issuer: 'http://127.0.0.1:9000', jwksUri: 'http://[::1]:9000/keys?p=1', audience: 'api://mcp' }],
      scopes: ['mcp:call'],
      scopesSupported: ['mcp:call', 'mcp:read'],
    };
    expect(parse(oauth).data?.oauth).toEqual(oauth);
  });

  test.each([
    'http://login.example.com',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'file:///etc/keys',
    'https://user:secret@login.example.com',
    'https://login.example.com#tenant',
    'login.example.com',
    '',
  ])('takes no URL like "%s"', (url) => {
    expect(parse({ resource: url, issuers }).success).toBe(false);
    expect(parse({ resource, issuers: [{ issuer: url }] }).success).toBe(false);
    expect(parse({ resource, issuers: [{ ...issuers[0], jwksUri: url }] }).success).toBe(false);
  });

  test.each([
    ['no issuer', { resource, issuers: [] }],
    ['an issuer twice', { resource, issuers: [...issuers, ...issuers] }],
    [
      'eleven issuers',
      { resource, issuers: Array.from({ length: 11 }, (_, i) => ({ issuer: `https://${i}.example` })) },
    ],
    ['a query in the resource', { resource: `${resource}?a=1`, issuers }],
    ['a query in an issuer', { resource, issuers: [{ issuer: 'https://login.example.com?a=1' }] }],
    ['an empty audience', { resource, issuers: [{ ...issuers[0], audience: '' }] }],
    ['a scope that ends its header', { resource, issuers, scopes: ['a", error="x'] }],
    ['a scope of two words', { resource, issuers, scopes: ['a b'] }],
    ['a key that there is not', { resource, issuers, scope: ['a'] }],
  ])('cannot have %s', (_what, oauth) => {
    expect(parse(oauth).success).toBe(false);
  });
});

test.each([
  [{ allowedHosts: ['mcp.example.com', 'mcp.example.com:8443', '[::1]:80', 'Name_1'] }, true],
  [{ allowedHosts: ['https://mcp.example.com'] }, false],
  [{ allowedHosts: ['*.example.com'] }, false],
  [{ allowedHosts: [''] }, false],
  [{ allowedOrigins: ['https://App.example.com', 'http://localhost:5173', 'null', 'vscode-webview://abc'] }, true],
  [{ allowedOrigins: ['*'] }, false],
  [{ allowedOrigins: ['https://app.example.com/'] }, false],
  [{ allowedOrigins: ['app.example.com'] }, false],
])('%j: accepted is %j', (server, isAccepted) => {
  expect(MCPServerConfigSchema.safeParse(server).success).toBe(isAccepted);
});
