import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import type { Config } from '@automatosx/contracts/config';
import type { Caller } from '../../protocol/admission.js';
import { RPC, RpcError } from '../../protocol/json-rpc.js';
import type { OAuth } from './oauth.js';
import { Refusal } from './refusal.js';

export interface AccessOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly port: () => number;
  readonly config: () => Config['server'];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly oauth: OAuth;
}

export type { Caller };

type Asked = Pick<IncomingMessage, 'headers'>;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const HTTP_PORT = 80;
const RETRY_AFTER_SECONDS = 5;

/** True if only this machine can reach the address. */
export const isLoopback = (host: string): boolean => ['::1', ...LOOPBACK].includes(host);

/** Tokens that are set, and whose calls those are that carry them. */
function tokensOf({ config, environment }: AccessOptions) {
  const configured = config().tokens.map(({ subject, env }) => ({ subject, token: environment[env] }));
  return [{ subject: 'owner', token: environment.AUTOMATOSX_TOKEN }, ...configured].filter(
    (entry): entry is { subject: string; token: string } => Boolean(entry.token),
  );
}

/** True if strangers are turned away, so that the network may reach us. */
export const isGuarded = (options: AccessOptions): boolean =>
  options.oauth.isConfigured() || tokensOf(options).length > 0;

/** A page that a browser shows can reach loopback too; the Host and Origin that it cannot forge tell it apart. */
export function checkAddress({ headers: { host, origin } }: Asked, options: AccessOptions): void {
  const { hosts, origins } = listedIn(options);
  // Names of hosts are the same in any case.
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    throw Refusal.of(403, 'This Host is not one of the server; see server.allowedHosts');
  }
  if (origin !== undefined && !origins.has(origin.toLowerCase())) {
    throw Refusal.of(403, 'This Origin may not call; see server.allowedOrigins');
  }
}

interface Listed {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/** By where the server listens: several may share one configuration. */
const known = new WeakMap<AccessOptions, { readonly config: object; readonly listed: Listed }>();

/** Made once per configuration, because every request asks. */
function listedIn(options: AccessOptions): Listed {
  const config = options.config();
  const found = known.get(options);
  if (found?.config === config) return found.listed;
  const own = ownHosts(options);
  const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  const listed = {
    hosts: lower([...own, ...config.allowedHosts]),
    origins: lower([...own.map((name) => `http://${name}`), ...config.allowedOrigins]),
  };
  known.set(options, { config, listed });
  return listed;
}

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

function machineNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return [hostname(), ...addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))];
}

/** The values of `Host` for the address itself. Clients leave out the port that http has anyway. */
function ownHosts({ host, port }: AccessOptions): string[] {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const names = isLoopback(host) ? LOOPBACK : [...LOOPBACK, name, ...(isEveryAddress(host) ? machineNames() : [])];
  const withPort = names.map((each) => `${each}:${port()}`);
  return port() === HTTP_PORT ? [...withPort, ...names] : withPort;
}

/** Whose call it is. A promise only where an access token has to be verified. */
export function checkToken({ headers }: Asked, options: AccessOptions): Caller | Promise<Caller> {
  const { oauth } = options;
  if (isOpen(options)) return { principal: 'local', isLocal: true };
  const tokens = tokensOf(options);
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) throw unauthorized(oauth.challenge());
  // Every token is compared, so that the time taken tells nothing about which one came close.
  const [caller] = tokens.filter(({ token }) => isEqual(token, given));
  if (caller) return { principal: caller.subject, isLocal: false };
  if (oauth.isConfigured()) return checkAccessToken(given, oauth);
  throw unauthorized(oauth.challenge());
}

/**
 * True if nobody asked for tokens and only this machine can call. A token whose variable is not set, or a setting that
 * was taken out while the network can reach us, must not open the door.
 */
function isOpen({ host, config, environment }: AccessOptions): boolean {
  const { tokens, oauth } = config();
  return !environment.AUTOMATOSX_TOKEN && tokens.length === 0 && oauth === undefined && isLoopback(host);
}

async function checkAccessToken(token: string, oauth: OAuth): Promise<Caller> {
  const verified = await oauth.verify(token);
  if ('principal' in verified) return { principal: verified.principal, isLocal: false };
  const { problem } = verified;
  if (problem === 'unavailable') throw unavailable();
  const challenge = oauth.challenge(problem);
  if (problem === 'invalid_token') throw unauthorized(challenge);
  const headers = { 'www-authenticate': challenge };
  throw Refusal.of(403, 'This token lacks a scope that is needed here', { headers });
}

const unauthorized = (challenge: string): Refusal =>
  Refusal.of(401, 'A valid bearer token is needed', { headers: { 'www-authenticate': challenge } });

function unavailable(): Refusal {
  const data = { code: 'SERVICE_UNAVAILABLE', retryAfterMs: RETRY_AFTER_SECONDS * 1000 };
  const error = new RpcError(RPC.busy, 'The issuer of this token cannot be asked now', data);
  return new Refusal(503, error, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other));
