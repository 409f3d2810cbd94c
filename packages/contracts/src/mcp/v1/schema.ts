import * as z from 'zod';

/** Protocol versions opened by `initialize`, oldest first. */
export const HANDSHAKE_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Protocol versions that carry everything in each request's `_meta`. */
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

export type HandshakeVersion = (typeof HANDSHAKE_VERSIONS)[number];
export type StatelessVersion = (typeof STATELESS_VERSIONS)[number];
export type ProtocolVersion = HandshakeVersion | StatelessVersion;

/** Names in a request's `_meta` that are ours. */
export const META = {
  idempotencyKey: 'automatosx/idempotencyKey',
  sessionId: 'automatosx/sessionId',
} as const;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** What travels to this machine itself needs no https: local issuers and tests have none. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  return isSafe && username === '' && password === '' && !text.includes('#');
}

const safeUrl = z.url().max(500).refine(isSafeUrl, 'must be https, or http on this machine, without user and fragment');

/** A URL that is a name too (RFC 8414, RFC 9728). */
const identifier = safeUrl.refine((url) => !url.includes('?'), 'must not have a query');

/** As RFC 6749 has them, so that they can stand in a header. */
const scopes = z
  .array(
    z
      .string()
      .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/)
      .max(200),
  )
  .max(50);

const issuer = z.strictObject({
  /** Exactly as `iss` in its tokens. */
  issuer: identifier,
  /** Where its keys are; found by its metadata unless set. */
  jwksUri: safeUrl.optional(),
  /** What `aud` of its tokens must name; the resource unless set. */
  audience: z.string().min(1).max(500).optional(),
});

const oauth = z.strictObject({
  /** Our `/mcp` as clients know it. */
  resource: identifier,
  /** Whose tokens are taken. */
  issuers: z
    .array(issuer)
    .min(1)
    .max(10)
    .refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length, 'names an issuer twice'),
  /** What every token must grant. */
  scopes: scopes.default([]),
  /** What a client may ask an issuer for; `scopes` unless set. */
  scopesSupported: scopes.optional(),
});

export const MCPServerConfigSchema = z.strictObject({
  name: z.string().min(1).max(100).default('automatosx-mcp'),
  version: z.string().min(1).max(50).optional(),
  description: z.string().max(1000).optional(),
  /** Values of the `Host` header that are ours beside the address itself, as `name` or `name:port`. */
  allowedHosts: z
    .array(
      z
        .string()
        .max(255)
        .regex(/^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/, 'Expected name or name:port'),
    )
    .max(100)
    .default([]),
  /** Web pages that may call, as origins: `https://app.example.com`. */
  allowedOrigins: z
    .array(
      z
        .string()
        .max(255)
        .regex(/^null$|^[a-z][\w+.-]*:\/\/[^/\s*]+$/, 'Expected an origin such as https://app.example.com'),
    )
    .max(100)
    .default([]),
  /** Who may call: the variable of the environment that holds a token, and whose calls those with it are. */
  tokens: z
    .array(
      z.strictObject({
        subject: z
          .string()
          .min(1)
          .max(100)
          .regex(/^(?!(?:user|local)$)/, 'user and local are those without a token'),
        env: z.string().min(1).max(100),
      }),
    )
    .max(100)
    .default([]),
  /** Takes access tokens of OAuth issuers. */
  oauth: oauth.optional(),
});

export type MCPServerConfig = z.infer<typeof MCPServerConfigSchema>;
