import type { Config } from '@automatosx/contracts/config';

type Settings = NonNullable<Config['server']['oauth']>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** A resource without a path has its metadata at the name itself (RFC 9728). */
const metadataPath = ({ resource }: Settings): string => WELL_KNOWN + new URL(resource).pathname.replace(/\/$/, '');

/** The paths that the metadata is at: as the resource has it, and as we have it behind a proxy that cuts paths. */
export const isMetadataPath = (path: string, settings: Settings): boolean =>
  path.startsWith(WELL_KNOWN) && [WELL_KNOWN, `${WELL_KNOWN}/mcp`, metadataPath(settings)].includes(path);

/** Tells a client where tokens for us are to be had. */
export function toMetadata(name: string, { resource, issuers, scopes, scopesSupported = scopes }: Settings): object {
  return {
    resource,
    authorization_servers: issuers.map(({ issuer }) => issuer),
    ...(scopesSupported.length > 0 && { scopes_supported: scopesSupported }),
    bearer_methods_supported: ['header'],
    resource_name: name,
  };
}

/** The value of `WWW-Authenticate`. Without a token there is no error yet (RFC 6750). */
export function toChallenge(settings: Settings, error?: string): string {
  const { resource, scopes } = settings;
  const fields = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${new URL(resource).origin}${metadataPath(settings)}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return `Bearer ${fields.join(', ')}`;
}
