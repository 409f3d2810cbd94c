import {
  HANDSHAKE_VERSIONS,
  type ProtocolVersion,
  STATELESS_VERSIONS,
  type ToolDefinition,
} from '@automatosx/contracts';
import { CLIENT_LOG_LEVELS, type ClientLogLevel, type RelayedDefinition } from '@automatosx/mcp-runtime';
import { isObject, RPC, RpcError } from './json-rpc.js';

export type Era = 'handshake' | 'stateless';

const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

const NEWEST_HANDSHAKE_VERSION = HANDSHAKE_VERSIONS[HANDSHAKE_VERSIONS.length - 1] as ProtocolVersion;

/** The version for a client that asks for this one by `initialize`: the same, or the newest it can be offered. */
export const negotiate = (asked: string): ProtocolVersion =>
  HANDSHAKE_VERSIONS.find((version) => version === asked) ?? NEWEST_HANDSHAKE_VERSION;

export const isHandshakeVersion = (version: string): boolean => HANDSHAKE_VERSIONS.some((known) => known === version);

const metaOf = (params: unknown): Record<string, unknown> =>
  isObject(params) && isObject(params._meta) ? params._meta : {};

/** What stands where a request declares its version, whatever it is. */
export const requestedVersion = (params: unknown): unknown => metaOf(params)[PROTOCOL_VERSION_KEY];

/** The version that a request declares for itself, or undefined where it relies on a handshake. */
export function declaredVersion(params: unknown): ProtocolVersion | undefined {
  const requested = requestedVersion(params);
  if (requested === undefined) return undefined;
  if (typeof requested !== 'string') {
    throw new RpcError(RPC.invalidParams, `${PROTOCOL_VERSION_KEY} must be a string`);
  }
  const version = STATELESS_VERSIONS.find((supported) => supported === requested);
  if (version === undefined) throw unsupportedVersion(requested);
  if (!isObject(metaOf(params)[CAPABILITIES_KEY])) {
    throw new RpcError(RPC.invalidParams, `_meta must have ${CAPABILITIES_KEY}`);
  }
  return version;
}

/** What to answer a request of that version; undefined where it is supported. */
export function unsupportedVersion(requested: string): RpcError | undefined {
  if (STATELESS_VERSIONS.some((supported) => supported === requested)) return undefined;
  return new RpcError(RPC.unsupportedVersion, 'Unsupported protocol version', {
    supported: STATELESS_VERSIONS,
    requested: requested.slice(0, 100),
  });
}

/** What the client of a stateless request says it can do. */
export function capabilitiesOf(params: unknown): Readonly<Record<string, unknown>> {
  const capabilities = metaOf(params)[CAPABILITIES_KEY];
  return isObject(capabilities) ? capabilities : {};
}

/** What the client of a stateless request wants to hear of; undefined for nothing. */
export const logLevelOf = (params: unknown): ClientLogLevel | undefined =>
  CLIENT_LOG_LEVELS.find((level) => level === metaOf(params)[LOG_LEVEL_KEY]);

const isSince = (version: ProtocolVersion, first: ProtocolVersion) => version >= first;

/** What a version's clients know; a client is not sent what its version does not have. */
export const hasBatches = (version: ProtocolVersion) => version === '2025-03-26';
export const hasAnnotations = (version: ProtocolVersion) => isSince(version, '2025-03-26');
export const hasProgressMessage = (version: ProtocolVersion) => isSince(version, '2025-03-26');
export const hasStructuredContent = (version: ProtocolVersion) => isSince(version, '2025-06-18');
export const hasServerDescription = (version: ProtocolVersion) => isSince(version, '2025-11-25');

export const resourceNotFoundCode = (version: ProtocolVersion): number =>
  isSince(version, '2026-07-28') ? RPC.invalidParams : RPC.resourceNotFound;

/** A tool as a client of this version may see it. */
export function toolFor(
  version: ProtocolVersion,
  { title, outputSchema, annotations, ...tool }: ToolDefinition | RelayedDefinition,
): object {
  return {
    ...tool,
    ...(hasStructuredContent(version) && { title, outputSchema }),
    ...(hasAnnotations(version) && { annotations }),
  };
}

/** A resource, template or prompt as a client of this version may see it. */
export function withoutTitle<T extends { readonly title?: string }>(version: ProtocolVersion, listed: T): object {
  if (hasStructuredContent(version)) return listed;
  const { title, ...rest } = listed;
  return rest;
}
