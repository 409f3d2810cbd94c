import { timingSafeEqual } from 'node:crypto';
import { MCPServerConfigSchema } from '@automatosx/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AccessOptions, checkAddress, checkToken, isGuarded, isLoopback } from './access.js';
import { createOAuth } from './oauth.js';
import { RESOURCE, startIssuer, type TestIssuer } from './oauth-testing.js';
import { Refusal } from './refusal.js';

// Watched, not replaced.
vi.mock('node:crypto', { spy: true });

interface Situation {
  readonly server?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly port?: number;
}

function options({ server = {}, environment = {}, host = '127.0.0.1', port = 8808 }: Situation = {}): AccessOptions {
  const settings = MCPServerConfigSchema.parse(server);
  const config = () => settings;
  const oauth = createOAuth({ config, log: () => {} });
  return { host, port: () => port, config, environment, oauth };
}

/** The status, headers and words of the refusal, or what there is instead. */
async function outcome<T>(act: () => T) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, message: error.message, ...error.options };
  }
}

describe('the Host', () => {
  const check = (host: string | undefined, situation?: Situation) =>
    outcome(() => checkAddress({ headers: { host } }, options(situation)));

  test.each(['127.0.0.1:8808', 'localhost:8808', '[::1]:8808', 'LOCALHOST:8808'])('%s is ours', async (host) => {
    expect(await check(host)).toBeUndefined();
    expect(await check(host, { host: '::1' })).toBeUndefined();
    expect(await check(host, { host: '0.0.0.0' })).toBeUndefined();
  });

  test.each([
    undefined,
    '',
    'evil.example:8808',
    'localhost.evil:8808',
    'localhost.:8808',
    '127.0.0.1.:8808',
    'localhost:8809',
    'localhost:88080',
    'localhost',
    '127.0.0.1',
    '127.0.0.2:8808',
    '0.0.0.0:8808',
    '[::]:8808',
    '::1:8808',
    'user@localhost:8808',
    'localhost:8808, evil.example',
    ' localhost:8808',
  ])('%s is foreign', async (host) => {
    expect(await check(host)).toMatchObject({ status: 403 });
  });

  test('may leave out the port of http', async () => {
    expect(await check('localhost', { port: 80 })).toBeUndefined();
    expect(await check('localhost:80', { port: 80 })).toBeUndefined();
    expect(await check('localhost:8808', { port: 80 })).toMatchObject({ status: 403 });
  });

  test('may be the address that we listen on', async () => {
    expect(await check('192.0.2.1:8808', { host: '192.0.2.1' })).toBeUndefined();
    expect(await check('[2001:db8::1]:8808', { host: '2001:db8::1' })).toBeUndefined();
    expect(await check('192.0.2.2:8808', { host: '192.0.2.1' })).toMatchObject({ status: 403 });
  });

  test('may be one that is allowed, exactly', async () => {
    const server = { allowedHosts: ['Mcp.example.com', 'mcp.example.com:8443'] };
    expect(await check('mcp.example.com', { server })).toBeUndefined();
    expect(await check('MCP.example.com:8443', { server })).toBeUndefined();
    for (const host of ['mcp.example.com:8808', 'a.mcp.example.com', 'mcp.example.com.', 'mcp.example.com.evil']) {
      expect(await check(host, { server })).toMatchObject({ status: 403 });
    }
  });
});

describe('the Origin', () => {
  const check = (origin: string, server: object = {}) =>
    outcome(() => checkAddress({ headers: { host: 'localhost:8808', origin } }, options({ server })));

  test.each(['http://localhost:8808', 'http://127.0.0.1:8808', 'http://[::1]:8808', 'HTTP://LOCALHOST:8808'])(
    '%s is ours',
    async (origin) => {
      expect(await check(origin)).toBeUndefined();
    },
  );

  test.each([
    '',
    'null',
    'https://evil.example',
    'http://localhost',
    'http://localhost:8809',
    'http://localhost:88080',
    'https://localhost:8808',
    'http://localhost.evil:8808',
    'http://localhost.:8808',
    'http://localhost:8808/',
    'http://localhost:8808.evil.example',
    'localhost:8808',
    'file://',
  ])('%s is foreign', async (origin) => {
    expect(await check(origin)).toMatchObject({ status: 403 });
  });

  test('may be one that is allowed, exactly', async () => {
    const server = { allowedOrigins: ['https://App.example.com', 'null'] };
    expect(await check('https://app.example.com', server)).toBeUndefined();
    expect(await check('null', server)).toBeUndefined();
    expect(await check('http://app.example.com', server)).toMatchObject({ status: 403 });
    expect(await check('https://app.example.com:8443', server)).toMatchObject({ status: 403 });
  });

  test('of ours does not make a foreign Host good', async () => {
    const headers = { host: 'evil.example:8808', origin: 'http://localhost:8808' };
    expect(await outcome(() => checkAddress({ headers }, options()))).toMatchObject({ status: 403 });
  });
});

const call = (authorization: string | undefined, situation?: Situation | AccessOptions) => {
  const given = situation && 'oauth' in situation ? situation : options(situation);
  return outcome(() => checkToken({ headers: { ...(authorization !== undefined && { authorization }) } }, given));
};

const UNAUTHORIZED = {
  status: 401,
  message: 'A valid bearer token is needed',
  headers: { 'www-authenticate': 'Bearer' },
};

describe('a token', () => {
  const team = {
    server: {
      tokens: [
        { subject: 'ada', env: 'ADA' },
        { subject: 'grace', env: 'GRACE' },
        { subject: 'nobody', env: 'UNSET' },
      ],
    },
    environment: { AUTOMATOSX_TOKEN: 'token of the owner', ADA: 'token-a', GRACE: 'token-g' },
  };

  test('is not needed on this machine where none is configured', () => {
    expect(checkToken({ headers: {} }, options())).toEqual({ principal: 'local', isLocal: true });
    expect(checkToken({ headers: { authorization: 'Bearer x' } }, options())).toMatchObject({ principal: 'local' });
  });

  test.each([
    ['token of the owner', 'owner'],
    ['token-a', 'ada'],
    ['token-g', 'grace'],
  ])('%s is that of %s, without waiting', (token, principal) => {
    const headers = { authorization: `Bearer ${token}` };
    expect(checkToken({ headers }, options(team))).toEqual({ principal, isLocal: false });
  });

  test('may follow its scheme in any case', async () => {
    expect(await call('bearer token-a', team)).toMatchObject({ principal: 'ada' });
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer token-',
    'Bearer token-aa',
    'Bearer TOKEN-A',
    'Bearer undefined',
    'Basic token-a',
    'token-a',
    `Bearer ${'a'.repeat(10_000)}`,
  ])('is missing or wrong in "%.20s"', async (authorization) => {
    expect(await call(authorization, team)).toEqual(UNAUTHORIZED);
  });

  test('that is empty counts as not set', async () => {
    expect(await call(undefined, { environment: { AUTOMATOSX_TOKEN: '' } })).toMatchObject({ principal: 'local' });
    const empty = { ...team, environment: { ...team.environment, ADA: '' } };
    expect(await call('Bearer ', empty)).toEqual(UNAUTHORIZED);
  });

  test('that is configured and not set leaves the door shut', async () => {
    expect(await call(undefined, { server: team.server })).toEqual(UNAUTHORIZED);
    expect(await call('Bearer undefined', { server: team.server })).toEqual(UNAUTHORIZED);
  });

  test('that was taken away does not open us to the network', async () => {
    expect(await call(undefined, { host: '0.0.0.0' })).toEqual(UNAUTHORIZED);
  });

  test('is compared with every other by digests in constant time, wherever it differs', async () => {
    for (const token of ['token-a', 'token-', 'x']) {
      vi.mocked(timingSafeEqual).mockClear();
      await call(`Bearer ${token}`, team);
      const sizes = vi.mocked(timingSafeEqual).mock.calls.map((pair) => pair.map(({ byteLength }) => byteLength));
      expect(sizes).toEqual([
        [32, 32],
        [32, 32],
        [32, 32],
      ]);
    }
  });
});

describe('OAuth', () => {
  let issuer: TestIssuer;
  let access: AccessOptions;

  beforeEach(async () => {
    issuer = await startIssuer();
    const oauth = { resource: RESOURCE, issuers: [{ issuer: issuer.issuer }], scopes: ['call'] };
    access = options({
      server: { oauth, tokens: [{ subject: 'grace', env: 'GRACE' }] },
      environment: { GRACE: 'token-g' },
    });
  });
  afterEach(() => issuer.close());

  const at = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="call"';

  test('lets in who has a good access token', async () => {
    const token = await issuer.token({ scope: 'call' });
    expect(await call(`Bearer ${token}`, access)).toEqual({ principal: 'ada', isLocal: false });
  });

  test('leaves static tokens as they are, and asks nobody about them', () => {
    const headers = { authorization: 'Bearer token-g' };
    expect(checkToken({ headers }, access)).toEqual({ principal: 'grace', isLocal: false });
    expect(issuer.asked).toEqual([]);
  });

  test('answers 401 without a token, and says where to get one', async () => {
    expect(await call(undefined, access)).toEqual({ ...UNAUTHORIZED, headers: { 'www-authenticate': `Bearer ${at}` } });
  });

  test('answers 401 to a token that is not good', async () => {
    const challenge = { 'www-authenticate': `Bearer error="invalid_token", ${at}` };
    const expired = await issuer.token({ scope: 'call', exp: 1 });
    expect(await call(`Bearer ${expired}`, access)).toEqual({ ...UNAUTHORIZED, headers: challenge });
    expect(await call('Bearer token-x', access)).toEqual({ ...UNAUTHORIZED, headers: challenge });
  });

  test('answers 403 where a scope is missing', async () => {
    expect(await call(`Bearer ${await issuer.token()}`, access)).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", ${at}` },
    });
  });

  test('answers 503 where the issuer cannot be asked', async () => {
    issuer.routes.clear();
    expect(await call(`Bearer ${await issuer.token()}`, access)).toEqual({
      status: 503,
      message: 'The issuer of this token cannot be asked now',
      headers: { 'retry-after': '5' },
    });
  });
});

test('the network may reach us where strangers are turned away', () => {
  const oauth = { resource: RESOURCE, issuers: [{ issuer: 'https://login.example.com' }] };
  const tokens = [{ subject: 'ada', env: 'ADA' }];
  expect(isGuarded(options())).toBe(false);
  expect(isGuarded(options({ server: { tokens } }))).toBe(false);
  expect(isGuarded(options({ server: { tokens }, environment: { ADA: 'x' } }))).toBe(true);
  expect(isGuarded(options({ environment: { AUTOMATOSX_TOKEN: '' } }))).toBe(false);
  expect(isGuarded(options({ environment: { AUTOMATOSX_TOKEN: 'x' } }))).toBe(true);
  expect(isGuarded(options({ server: { oauth } }))).toBe(true);
});

test('only this machine is loopback', () => {
  expect(['127.0.0.1', 'localhost', '::1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '192.168.0.1', 'localhost.evil', 'example.com', ''].some(isLoopback)).toBe(false);
});
