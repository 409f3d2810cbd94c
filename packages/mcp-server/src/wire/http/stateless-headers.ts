import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type Message, RPC, RpcError } from '../../protocol/json-rpc.js';
import { requestedVersion } from '../../protocol/versions.js';
import { mirroredParameters } from './mirrored-parameters.js';

/** Methods whose requests name what they are about in a header too, and the parameter that it repeats. */
const NAMED: ReadonlyMap<unknown, 'name' | 'uri' | 'taskId'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The version in the header is the one in the body, where there is one. */
export function checkVersionHeader(named: string | undefined, params: unknown): void {
  const version = requestedVersion(params);
  if (typeof version === 'string') mustEqual('MCP-Protocol-Version', named, version);
}

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
}

/**
 * Whoever routes by the headers must see the same request as we do (2026-07-28): a header that is missing or that
 * contradicts the body is refused.
 */
export function checkHeaders(
  { headers, message: { method, params } }: Sent,
  schemaOf: (tool: string) => Readonly<Record<string, unknown>> | undefined,
): void {
  mustEqual('Mcp-Method', headers['mcp-method'], String(method));
  const parameter = NAMED.get(method);
  if (parameter === undefined || !isObject(params)) return;
  const value = params[parameter];
  if (typeof value !== 'string') return;
  mustEqual('Mcp-Name', decoded('Mcp-Name', headers['mcp-name']), value);
  if (method === 'tools/call') checkParameters(headers, params, schemaOf(value));
}

/** Parameters that the tool's schema marks with `x-mcp-header` are repeated in headers of their own. */
function checkParameters(
  headers: IncomingHttpHeaders,
  params: Record<string, unknown>,
  schema: Readonly<Record<string, unknown>> | undefined,
): void {
  if (!schema) return;
  for (const { name, path } of mirroredParameters(schema)) {
    const value = path.reduce<unknown>(ownValue, params.arguments);
    const given = decoded(name, headers[name.toLowerCase()]);
    if (value === undefined || value === null) {
      if (given !== undefined) throw mismatch(name, 'has no value in the body');
    } else if (typeof value === 'number' && given?.trim() !== '' && Number(given) === value) continue;
    else mustEqual(name, given, String(value));
  }
}

const ownValue = (object: unknown, key: string): unknown =>
  isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;

function mustEqual(name: string, header: string | string[] | undefined, body: string): void {
  if (header === body) return;
  throw mismatch(name, header === undefined ? 'is missing' : 'contradicts the body');
}

const mismatch = (name: string, problem: string) =>
  new RpcError(RPC.headerMismatch, `Header mismatch: ${name} ${problem}`);

/** A value that no header can hold as it is comes in Base64. */
function decoded(name: string, header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(', ') : header;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text ?? '')?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) throw mismatch(name, 'is not valid Base64');
  return bytes.toString('utf8');
}
