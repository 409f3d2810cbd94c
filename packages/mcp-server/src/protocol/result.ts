import type { Identity } from './identity.js';
import type { Method, Result } from './method.js';
import type { Era } from './versions.js';

const insideOf = (object: object): string => JSON.stringify(object).slice(1, -1);

/** The inside of a result object as JSON text, with what the era adds to every result. */
export function membersOf(
  result: Result,
  { cacheable }: Method,
  { era, identity }: { era: Era; identity: () => Identity },
) {
  if (era === 'handshake') return typeof result === 'string' ? result : insideOf(result);
  if (typeof result === 'string') return `${result},"resultType":"complete","_meta":${identity().json}`;
  const { _meta: meta, ...members } = result;
  return insideOf({
    resultType: 'complete',
    ...cacheable,
    ...members,
    _meta: { ...(meta as object), ...identity().meta },
  });
}
