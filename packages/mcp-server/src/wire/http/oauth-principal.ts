import type { Config } from '@automatosx/contracts/config';
import type { Issuer } from './oauth-keys.js';

/** Who is somebody already without OAuth: on stdio, on loopback, and with AUTOMATOSX_TOKEN. */
const OURS = ['user', 'local', 'owner'];

/** Up to 200 characters that a store can keep as they are. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Who calls, by the subject of a token. Undefined where the subject is none, or would be somebody else. */
export function principalOf(subject: unknown, issuer: Issuer, server: Config['server']): string | undefined {
  if (typeof subject !== 'string' || !SUBJECT.test(subject)) return undefined;
  const issuers = (server.oauth?.issuers ?? []).map((each) => each.issuer);
  const isFirst = issuers[0] === issuer.issuer;
  // The users of the first issuer have plain names, which must not look like those of the others.
  if (isFirst && issuers.some((other) => subject.startsWith(`${other}#`))) return undefined;
  const principal = isFirst ? subject : `${issuer.issuer}#${subject}`;
  const taken = [...OURS, ...server.tokens.map((token) => token.subject)];
  return taken.includes(subject) || taken.includes(principal) ? undefined : principal;
}
