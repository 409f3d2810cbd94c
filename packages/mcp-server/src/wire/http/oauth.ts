import type { Config } from '@automatosx/contracts/config';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Log } from '../../log.js';
import { IssuerUnavailable } from './oauth-documents.js';
import { type Issuer, issuerKeys } from './oauth-keys.js';
import { isMetadataPath, toChallenge, toMetadata } from './oauth-metadata.js';
import { principalOf } from './oauth-principal.js';

/** Only those where who can check a signature cannot make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCK_TOLERANCE_SECONDS = 60;

/** `unavailable`: the issuer could not be asked, so nobody knows. */
type TokenProblem = 'invalid_token' | 'insufficient_scope' | 'unavailable';
type Verified = { readonly principal: string } | { readonly problem: TokenProblem };

export interface OAuth {
  isConfigured(): boolean;
  /** The protected-resource metadata (RFC 9728), if OAuth is configured and this is a path that it is at. */
  metadataAt(path: string): object | undefined;
  /** The value of `WWW-Authenticate`; a plain one where OAuth is not configured. */
  challenge(error?: Exclude<TokenProblem, 'unavailable'>): string;
  verify(token: string): Promise<Verified>;
}

export interface OAuthOptions {
  readonly config: () => Config['server'];
  readonly log: Log;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

/** Takes access tokens of the configured issuers. What the configuration says is asked at every request. */
export function createOAuth(options: OAuthOptions): OAuth {
  const { config, log, now = Date.now } = options;
  const keysOf = keptKeys(options);

  return {
    isConfigured: () => config().oauth !== undefined,
    metadataAt: (path) => {
      const { name, oauth } = config();
      return oauth && isMetadataPath(path, oauth) ? toMetadata(name, oauth) : undefined;
    },
    challenge: (error) => {
      const { oauth } = config();
      return oauth ? toChallenge(oauth, error) : 'Bearer';
    },
    verify: async (token) => {
      const server = config();
      const { decodeJwt, jwtVerify } = await import('jose');
      try {
        const { iss } = decodeJwt(token);
        const issuer = server.oauth?.issuers.find((each) => each.issuer === iss);
        if (!issuer) return { problem: 'invalid_token' };
        const { payload } = await jwtVerify(token, keysOf(issuer), {
          algorithms: ALGORITHMS,
          issuer: issuer.issuer,
          audience: issuer.audience ?? (server.oauth?.resource as string),
          requiredClaims: ['exp'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(now()),
        });
        return judge(payload, issuer, server);
      } catch (error) {
        if (error instanceof IssuerUnavailable) return { problem: 'unavailable' };
        // Only the kind of error: what it says more may be of the token.
        log('info', 'An access token was refused', { reason: (error as { code?: unknown }).code });
        return { problem: 'invalid_token' };
      }
    },
  };
}

/** What a token grants whose signature, issuer, audience and time are right. */
function judge(payload: JWTPayload, issuer: Issuer, server: Config['server']): Verified {
  const principal = principalOf(payload.sub, issuer, server);
  if (principal === undefined) return { problem: 'invalid_token' };
  const granted = scopesIn(payload.scope ?? payload.scp);
  const isGranted = (server.oauth?.scopes ?? []).every((scope) => granted.includes(scope));
  return isGranted ? { principal } : { problem: 'insufficient_scope' };
}

/** A text with spaces (RFC 8693), or a list, as some issuers have it. */
const scopesIn = (claim: unknown): readonly unknown[] =>
  typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];

/** Keeps the keys of every issuer for as long as it is configured. */
function keptKeys({ config, log, fetch = globalThis.fetch, timeoutMs = 5000 }: OAuthOptions) {
  const kept = new Map<string, JWTVerifyGetKey>();
  const nameOf = ({ issuer, jwksUri = '' }: Issuer) => `${issuer} ${jwksUri}`;
  return (issuer: Issuer): JWTVerifyGetKey => {
    const name = nameOf(issuer);
    const known = kept.get(name);
    if (known) return known;
    const configured = (config().oauth?.issuers ?? []).map(nameOf);
    for (const other of kept.keys()) if (!configured.includes(other)) kept.delete(other);
    const keys = issuerKeys(issuer, { fetch, timeoutMs, log });
    kept.set(name, keys);
    return keys;
  };
}
