import type { Config } from '@automatosx/contracts/config';
import type { FetchImplementation, JWTVerifyGetKey } from 'jose';
import { isObject } from '../../protocol/json-rpc.js';
import { isLoopback } from './access.js';
import { createPause, fetchJson, type IssuerAccess } from './oauth-documents.js';

export type Issuer = NonNullable<Config['server']['oauth']>['issuers'][number];

/** A key that is not known makes us look again, but not more often than this. */
const COOLDOWN_MS = 30_000;
const KEPT_MS = 600_000;

/** The keys of one issuer: fetched when first needed, kept for ten minutes, fetched again when a new one is used. */
export function issuerKeys({ issuer, jwksUri }: Issuer, access: IssuerAccess): JWTVerifyGetKey {
  const pausing = createPause(issuer, access.log);

  const open = async () => {
    const { createLocalJWKSet, createRemoteJWKSet, customFetch } = await import('jose');
    const uri = jwksUri ?? (await pausing(() => discover(issuer, access)));
    const fetchKeys: FetchImplementation = (url, { signal }) =>
      pausing(async () => {
        const keys = await fetchJson(url, signal, access);
        createLocalJWKSet(keys as Parameters<typeof createLocalJWKSet>[0]); // Throws where these are no keys.
        return Response.json(keys);
      });
    return createRemoteJWKSet(new URL(uri), {
      timeoutDuration: access.timeoutMs,
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: KEPT_MS,
      [customFetch]: fetchKeys,
    });
  };

  let opening: ReturnType<typeof open> | undefined;
  return async (header, token) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const keys = await opening;
    return keys(header, token);
  };
}

/** Where the issuer says that its keys are. */
async function discover(issuer: string, access: IssuerAccess): Promise<string> {
  const signal = AbortSignal.timeout(access.timeoutMs);
  const reasons: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return keysNamedIn(await fetchJson(url, signal, access), issuer);
    } catch (error) {
      reasons.push(`${url}: ${(error as Error).message}`);
    }
  }
  throw new Error(reasons.join('; '));
}

/** In the order of the specification; a path comes after the well-known name, and only OpenID also has it before. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

function keysNamedIn(document: unknown, issuer: string): string {
  if (!isObject(document) || document.issuer !== issuer) throw new Error('is the metadata of another issuer');
  const { jwks_uri: uri } = document;
  if (typeof uri !== 'string' || !isSafe(uri, issuer)) throw new Error('names no safe place of its keys');
  return uri;
}

/** An issuer elsewhere must not make us ask this machine. */
function isSafe(uri: string, issuer: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname) && issuer.startsWith('http:'));
}
