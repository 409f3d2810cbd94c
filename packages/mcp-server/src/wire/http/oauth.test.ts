import { createHmac } from 'node:crypto';
import { MCPServerConfigSchema } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import { exportSPKI } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOAuth } from './oauth.js';
import { metadataUrls } from './oauth-keys.js';
import { json, newKey, RESOURCE, startIssuer, type TestIssuer } from './oauth-testing.js';

type Settings = Config['server'];
type OAuthSettings = Partial<NonNullable<Settings['oauth']>>;

let issuer: TestIssuer;
let other: TestIssuer;
let server: Settings;
let logged: unknown[];

const INVALID = { problem: 'invalid_token' };
const UNAVAILABLE = { problem: 'unavailable' };
const seconds = () => Math.floor(Date.now() / 1000);

const configure = (oauth: OAuthSettings = {}, rest: object = {}) => {
  const issuers = [{ issuer: issuer.issuer }, { issuer: other.issuer }];
  server = MCPServerConfigSchema.parse({ oauth: { resource: RESOURCE, issuers, ...oauth }, ...rest });
};

const created = (timeoutMs = 5000) =>
  createOAuth({ config: () => server, log: (...line) => logged.push(line), timeoutMs });

beforeEach(async () => {
  issuer = await startIssuer();
  other = await startIssuer('/tenant');
  logged = [];
  configure();
});

afterEach(async () => {
  vi.useRealTimers();
  await issuer.close();
  await other.close();
});

describe('a token', () => {
  test('of the first issuer makes its subject the caller', async () => {
    expect(await created().verify(await issuer.token())).toEqual({ principal: 'ada' });
  });

  test('of another issuer names the issuer too', async () => {
    expect(await created().verify(await other.token())).toEqual({ principal: `${other.issuer}#ada` });
  });

  test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('may be signed with %s', async (algorithm) => {
    const key = await newKey('more', algorithm);
    issuer.routes.set('/keys', json({ keys: [issuer.key.jwk, key.jwk] }));
    expect(await created().verify(await issuer.token({}, key))).toEqual({ principal: 'ada' });
  });

  test.each([
    ['has expired', () => ({ exp: seconds() - 61 })],
    ['never expires', () => ({ exp: undefined })],
    ['is not valid yet', () => ({ nbf: seconds() + 90 })],
    ['is for somebody else', () => ({ aud: 'https://other.example.com/mcp' })],
    ['is for a longer address', () => ({ aud: `${RESOURCE}/` })],
    ['is for nobody', () => ({ aud: undefined })],
    ['is of an unknown issuer', () => ({ iss: 'https://evil.example' })],
    ['is of no issuer', () => ({ iss: undefined })],
    ['is of an issuer that is spelled otherwise', () => ({ iss: `${issuer.issuer}/` })],
    ['names another issuer than the one that signed', () => ({ iss: other.issuer })],
    ['has no subject', () => ({ sub: undefined })],
    ['has an empty subject', () => ({ sub: '' })],
    ['has a subject of 201 characters', () => ({ sub: 'a'.repeat(201) })],
    ['has a subject with a control character', () => ({ sub: 'ada\0' })],
    ['has half a character as its subject', () => ({ sub: 'ada\ud800' })],
    ['would be the local caller', () => ({ sub: 'local' })],
    ['would be the user', () => ({ sub: 'user' })],
    ['would be the owner', () => ({ sub: 'owner' })],
    ['would be the subject of a static token', () => ({ sub: 'grace' })],
    ['would be a user of the other issuer', () => ({ sub: `${other.issuer}#ada` })],
  ])('that %s is refused', async (_what, claims) => {
    configure({}, { tokens: [{ subject: 'grace', env: 'GRACE' }] });
    expect(await created().verify(await issuer.token(claims()))).toEqual(INVALID);
  });

  test('may be a minute late or early, as clocks differ', async () => {
    const token = await issuer.token({ exp: seconds() - 50, nbf: seconds() + 50 });
    expect(await created().verify(token)).toEqual({ principal: 'ada' });
  });

  test('may name further audiences, and a subject of 200 characters', async () => {
    const sub = 'é'.repeat(200);
    const token = await issuer.token({ aud: ['https://other.example.com', RESOURCE], sub });
    expect(await created().verify(token)).toEqual({ principal: sub });
  });

  test('must be for the audience that is configured for its issuer', async () => {
    configure({ issuers: [{ issuer: issuer.issuer, audience: 'api://mcp' }] });
    expect(await created().verify(await issuer.token())).toEqual(INVALID);
    expect(await created().verify(await issuer.token({ aud: 'api://mcp' }))).toEqual({ principal: 'ada' });
  });

  test.each(['', 'abc', 'a.b.c', '..', 'e30.e30.', `${'a'.repeat(10_000)}.b.c`])(
    'like "%.10s" is refused, and nobody is asked',
    async (token) => {
      expect(await created().verify(token)).toEqual(INVALID);
      expect(issuer.asked).toEqual([]);
    },
  );
});

describe('a signature', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = () => ({ iss: issuer.issuer, aud: RESOURCE, sub: 'ada', exp: seconds() + 300 });

  test.each(['none', 'None', 'NONE'])('of the algorithm %s is refused', async (alg) => {
    expect(await created().verify(`${part({ alg })}.${part(claims())}.`)).toEqual(INVALID);
  });

  test('made with the public key as a shared secret is refused', async () => {
    const key = await newKey('rsa', 'RS256');
    issuer.routes.set('/keys', json({ keys: [key.jwk] }));
    for (const secret of [await exportSPKI(key.publicKey), JSON.stringify(key.jwk)]) {
      const text = `${part({ alg: 'HS256', kid: 'rsa' })}.${part(claims())}`;
      const signature = createHmac('sha256', secret).update(text).digest('base64url');
      expect(await created().verify(`${text}.${signature}`)).toEqual(INVALID);
    }
  });

  test('with a shared key that the issuer publishes is refused', async () => {
    const k = Buffer.from('secret'.repeat(8)).toString('base64url');
    issuer.routes.set('/keys', json({ keys: [{ kty: 'oct', kid: 'shared', alg: 'HS256', k }] }));
    const text = `${part({ alg: 'HS256', kid: 'shared' })}.${part(claims())}`;
    const signature = createHmac('sha256', 'secret'.repeat(8)).update(text).digest('base64url');
    expect(await created().verify(`${text}.${signature}`)).toEqual(INVALID);
  });

  test('of a key that the token brings along is refused', async () => {
    const mine = await newKey('mine');
    const { SignJWT } = await import('jose');
    const header = { alg: 'ES256', jwk: mine.jwk, jku: `${other.origin}/keys` };
    const token = await new SignJWT(claims()).setProtectedHeader(header).sign(mine.privateKey);
    expect(await created().verify(token)).toEqual(INVALID);
    expect(other.asked).toEqual([]);
  });

  test('of an unknown key is refused', async () => {
    expect(await created().verify(await issuer.token({}, await newKey('unknown')))).toEqual(INVALID);
  });

  test('of a foreign key under a known name is refused', async () => {
    expect(await created().verify(await issuer.token({}, await newKey('first')))).toEqual(INVALID);
  });
});

describe('scopes', () => {
  test.each([{ scope: 'call read more' }, { scp: 'read call' }, { scp: ['call', 'read'] }])(
    'are granted by %j',
    async (claims) => {
      configure({ scopes: ['call', 'read'] });
      expect(await created().verify(await issuer.token(claims))).toEqual({ principal: 'ada' });
    },
  );

  test.each([{}, { scope: 'call' }, { scope: 'callread' }, { scope: 'CALL READ' }, { scp: [] }, { scope: 5 }])(
    'are not granted by %j',
    async (claims) => {
      configure({ scopes: ['call', 'read'] });
      expect(await created().verify(await issuer.token(claims))).toEqual({ problem: 'insufficient_scope' });
    },
  );
});

describe('keys', () => {
  test('are fetched once for any number of tokens at the same time', async () => {
    const oauth = created();
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => issuer.token({ sub: `s${index}` })));
    await Promise.all(tokens.map((token) => oauth.verify(token)));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  test('are where the configuration says', async () => {
    configure({ issuers: [{ issuer: issuer.issuer, jwksUri: `${issuer.origin}/keys` }] });
    expect(await created().verify(await issuer.token())).toEqual({ principal: 'ada' });
    expect(issuer.asked).toEqual(['/keys']);
  });

  test('may be told by OpenID alone', async () => {
    issuer.routes.delete('/.well-known/oauth-authorization-server');
    issuer.routes.set(
      '/.well-known/openid-configuration',
      json({ issuer: issuer.issuer, jwks_uri: `${issuer.origin}/keys` }),
    );
    expect(await created().verify(await issuer.token())).toEqual({ principal: 'ada' });
  });

  test('are looked for where the specification says', () => {
    expect(metadataUrls('https://a.example')).toEqual([
      'https://a.example/.well-known/oauth-authorization-server',
      'https://a.example/.well-known/openid-configuration',
    ]);
    expect(metadataUrls('https://a.example/tenant/')).toEqual([
      'https://a.example/.well-known/oauth-authorization-server/tenant',
      'https://a.example/.well-known/openid-configuration/tenant',
      'https://a.example/tenant/.well-known/openid-configuration',
    ]);
  });

  test('that are new are found, and those that are gone are no longer taken', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const oauth = created();
    await oauth.verify(await issuer.token());
    const next = await newKey('next');
    issuer.routes.set('/keys', json({ keys: [next.jwk] }));
    vi.setSystemTime(Date.now() + 31_000);
    expect(await oauth.verify(await issuer.token({}, next))).toEqual({ principal: 'ada' });
    expect(await oauth.verify(await issuer.token())).toEqual(INVALID);
  });

  test('are not fetched again for every token with an unknown one', async () => {
    const oauth = created();
    const token = await issuer.token({}, await newKey('unknown'));
    for (let count = 0; count < 5; count++) expect(await oauth.verify(token)).toEqual(INVALID);
    expect(issuer.asked).toHaveLength(2);
  });
});

describe('an issuer', () => {
  const hang = () => {};
  const metadata = '/.well-known/oauth-authorization-server';

  test('that does not answer is unavailable in time, and the others go on', async () => {
    issuer.routes.set(metadata, hang);
    const oauth = created(1500);
    const started = performance.now();
    const waiting = oauth.verify(await issuer.token());
    expect(await oauth.verify(await other.token())).toEqual({ principal: `${other.issuer}#ada` });
    expect(await waiting).toEqual(UNAVAILABLE);
    expect(performance.now() - started).toBeLessThan(4500);
    expect(logged).toEqual([['warn', expect.any(String), { issuer: issuer.issuer, error: expect.any(Error) }]]);
  });

  test('that stops in the middle of its keys is unavailable in time', async () => {
    issuer.routes.set('/keys', (_request, response) => void response.writeHead(200).write('{"keys":['));
    expect(await created(1500).verify(await issuer.token())).toEqual(UNAVAILABLE);
  });

  test('that failed is left alone for five seconds, and then asked again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const keys = issuer.routes.get('/keys')!;
    issuer.routes.set('/keys', (_request, response) => void response.writeHead(500).end());
    const oauth = created();
    const token = await issuer.token();
    expect(await oauth.verify(token)).toEqual(UNAVAILABLE);
    issuer.routes.set('/keys', keys);
    expect(await oauth.verify(token)).toEqual(UNAVAILABLE);
    expect(issuer.asked.filter((url) => url === '/keys')).toHaveLength(1);
    vi.advanceTimersByTime(5000);
    expect(await oauth.verify(token)).toEqual({ principal: 'ada' });
  });

  test('that is gone does no harm to tokens whose key is known', async () => {
    const oauth = created();
    await oauth.verify(await issuer.token());
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 31_000);
    issuer.routes.clear();
    expect(await oauth.verify(await issuer.token({}, await newKey('unknown')))).toEqual(UNAVAILABLE);
    expect(await oauth.verify(await issuer.token())).toEqual({ principal: 'ada' });
  });

  test.each<[string, (at: TestIssuer) => void]>([
    ['is not there', (at) => at.routes.clear()],
    ['sends us elsewhere for its metadata', (at) => redirect(at, metadata)],
    ['sends us elsewhere for its keys', (at) => redirect(at, '/keys')],
    [
      'tells of another issuer',
      (at) => at.routes.set(metadata, json({ issuer: RESOURCE, jwks_uri: `${at.origin}/keys` })),
    ],
    ['tells of no keys', (at) => at.routes.set(metadata, json({ issuer: at.issuer }))],
    ['has keys where anybody can change them', (at) => named(at, 'http://keys.example.com/')],
    ['has keys in a file', (at) => named(at, 'file:///etc/keys')],
    ['has keys nowhere', (at) => named(at, 'keys')],
    ['has a page instead of metadata', (at) => at.routes.set(metadata, (_, response) => void response.end('<html>'))],
    ['has no list of keys', (at) => at.routes.set('/keys', json({ keys: 'none' }))],
    ['has more keys than can be', (at) => at.routes.set('/keys', json({ keys: [], more: 'x'.repeat(300_000) }))],
    ['has too long metadata', (at) => at.routes.set(metadata, json({ issuer: at.issuer, more: 'x'.repeat(300_000) }))],
  ])('that %s is unavailable', async (_what, change) => {
    change(issuer);
    expect(await created().verify(await issuer.token())).toEqual(UNAVAILABLE);
    expect(other.asked).toEqual([]);
  });

  const named = (at: TestIssuer, uri: string) =>
    void at.routes.set(metadata, json({ issuer: at.issuer, jwks_uri: uri }));

  const redirect = (at: TestIssuer, path: string) =>
    void at.routes.set(path, (_request, response) => {
      response.writeHead(302, { location: `${other.origin}/keys` }).end();
    });

  test('elsewhere cannot make us ask this machine', async () => {
    const asked: string[] = [];
    const far = 'https://login.example.com';
    configure({ issuers: [{ issuer: far }] });
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url));
      return Response.json({ issuer: far, jwks_uri: `${issuer.origin}/keys` });
    };
    const oauth = createOAuth({ config: () => server, log: () => {}, fetch });
    expect(await oauth.verify(await issuer.token({ iss: far }))).toEqual(UNAVAILABLE);
    expect(asked.every((url) => url.startsWith(far))).toBe(true);
  });
});

describe('the configuration', () => {
  test('holds from the next request on', async () => {
    const oauth = created();
    const token = await issuer.token();
    expect(await oauth.verify(token)).toEqual({ principal: 'ada' });
    configure({ scopes: ['call'] });
    expect(await oauth.verify(token)).toEqual({ problem: 'insufficient_scope' });
    configure({ issuers: [{ issuer: other.issuer }] });
    expect(await oauth.verify(token)).toEqual(INVALID);
    expect(await oauth.verify(await other.token())).toEqual({ principal: 'ada' });
    server = MCPServerConfigSchema.parse({});
    expect(oauth.isConfigured()).toBe(false);
    expect(await oauth.verify(token)).toEqual(INVALID);
  });

  test('that stays the same for an issuer keeps its keys', async () => {
    const oauth = created();
    await oauth.verify(await issuer.token());
    configure({ scopesSupported: ['call'] });
    await oauth.verify(await issuer.token());
    expect(issuer.asked).toHaveLength(2);
  });
});

describe('metadata', () => {
  const at = '/.well-known/oauth-protected-resource';

  test('tells where tokens are to be had', () => {
    configure({ scopes: ['call'] });
    expect(created().metadataAt(`${at}/mcp`)).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer.issuer, other.issuer],
      scopes_supported: ['call'],
      bearer_methods_supported: ['header'],
      resource_name: 'automatosx-mcp',
    });
  });

  test('tells further scopes, and none where there are none', () => {
    configure({ scopes: ['call'], scopesSupported: ['call', 'read'] });
    expect(created().metadataAt(at)).toMatchObject({ scopes_supported: ['call', 'read'] });
    configure();
    expect(created().metadataAt(at)).not.toHaveProperty('scopes_supported');
  });

  test('is at the path of the resource, and nowhere else', () => {
    configure({ resource: 'https://example.com/public/mcp' });
    expect(created().metadataAt(`${at}/public/mcp`)).toMatchObject({ resource: 'https://example.com/public/mcp' });
    expect(created().metadataAt(`${at}/other`)).toBeUndefined();
    expect(created().metadataAt('/mcp')).toBeUndefined();
  });

  test('is not there without OAuth', () => {
    server = MCPServerConfigSchema.parse({});
    expect(created().metadataAt(at)).toBeUndefined();
  });
});

describe('a challenge', () => {
  const at = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

  test('names the metadata, the scopes and the error', () => {
    expect(created().challenge()).toBe(`Bearer ${at}`);
    configure({ scopes: ['call', 'read'] });
    expect(created().challenge()).toBe(`Bearer ${at}, scope="call read"`);
    expect(created().challenge('invalid_token')).toBe(`Bearer error="invalid_token", ${at}, scope="call read"`);
  });

  test('of a resource without a path names the metadata at the root', () => {
    configure({ resource: 'https://mcp.example.com/' });
    expect(created().challenge()).toBe(
      'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"',
    );
  });
});

test('no token, and no part of one, is ever logged or sent on', async () => {
  const urls: string[] = [];
  const sent: unknown[] = [];
  const oauth = createOAuth({
    config: () => server,
    log: (...line) => logged.push(line),
    fetch: (url, init) => {
      urls.push(String(url));
      sent.push(init?.headers, init?.body);
      return fetch(url, init);
    },
  });
  const tokens = [
    await issuer.token({ sub: 'sentinel' }),
    await issuer.token({ sub: 'sentinel', exp: 1 }),
    await issuer.token({ sub: 'sentinel', aud: 'sentinel' }),
    await issuer.token({ sub: 'sentinel' }, await newKey('sentinel')),
  ];
  for (const token of tokens) await oauth.verify(token);
  const seen = JSON.stringify([logged, urls, sent]);
  expect(logged).toHaveLength(3);
  expect(seen).not.toContain('sentinel');
  expect(tokens.flatMap((token) => token.split('.')).filter((text) => seen.includes(text))).toEqual([]);
});
