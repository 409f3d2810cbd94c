import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const RESOURCE = 'https://mcp.example.com/mcp';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const json =
  (value: unknown): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

export async function newKey(kid: string, algorithm = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' };
  return { kid, algorithm, privateKey, publicKey, jwk };
}

export type Key = Awaited<ReturnType<typeof newKey>>;

/** A real issuer on loopback. What it answers where is in `routes` and can be changed by a test. */
export async function startIssuer(path = '') {
  const routes = new Map<string, Answer>();
  const asked: string[] = [];
  const http = createServer((request, response) => {
    asked.push(request.url as string);
    const answer = routes.get(request.url as string);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const issuer = `${origin}${path}`;
  const key = await newKey('first');
  routes.set(`/.well-known/oauth-authorization-server${path}`, json({ issuer, jwks_uri: `${origin}/keys` }));
  routes.set('/keys', json({ keys: [key.jwk] }));
  return {
    issuer,
    origin,
    key,
    routes,
    asked,
    /** A token that is right in everything but what the claims say otherwise. */
    token: (claims: JWTPayload = {}, by: Pick<Key, 'kid' | 'algorithm' | 'privateKey'> = key) =>
      sign({ iss: issuer, ...claims }, by),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

function sign(claims: JWTPayload, { kid, algorithm, privateKey }: Pick<Key, 'kid' | 'algorithm' | 'privateKey'>) {
  const seconds = Math.floor(Date.now() / 1000);
  const payload = { aud: RESOURCE, sub: 'ada', exp: seconds + 300, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
}
