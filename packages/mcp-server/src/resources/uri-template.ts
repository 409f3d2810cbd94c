export type Variables = Readonly<Record<string, string>>;

const NAME = "[\\w\\-.~!$&'()*+,;=]|%[0-9a-f]{2}";

/** Scheme, authority and path of RFC 3986; what we name has no user, port, query or fragment. */
const URI = new RegExp(`^([a-z][a-z0-9+.-]*)://((?:${NAME})+)((?:/(?:[:@]|${NAME})*)*)$`, 'i');

/**
 * Matches URIs against a template of RFC 6570, each of whose variables is the whole authority or a whole segment of the
 * path, and gives their values. Dots stand for themselves: a key may be `..`.
 */
export function uriTemplate(template: string): (uri: string) => Variables | undefined {
  const [scheme = '', rest = ''] = template.split('://');
  const expected = [scheme, ...rest.split('/')].map((literal) => ({ literal, variable: variableIn(literal) }));
  return (uri) => {
    const parts = partsOf(uri);
    if (parts?.length !== expected.length) return undefined;
    const isMatch = expected.every(({ literal, variable }, index) =>
      variable === undefined ? parts[index] === literal : parts[index] !== '',
    );
    if (!isMatch) return undefined;
    return Object.fromEntries(
      expected.flatMap(({ variable }, index) => (variable === undefined ? [] : [[variable, parts[index] ?? '']])),
    );
  };
}

const variableIn = (part: string): string | undefined => /^\{(\w+)\}$/.exec(part)?.[1];

/** Scheme, authority and segments, decoded. Undefined where it is not a URI, or an escape in it is not UTF-8. */
function partsOf(uri: string): readonly string[] | undefined {
  const [, scheme, authority, path = ''] = URI.exec(uri) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  // Scheme and authority are the same in any case, and so are an empty path and a lone slash.
  const segments = path === '/' ? [] : path.split('/').slice(1);
  const names = [authority.toLowerCase(), ...segments].map(decoded);
  return names.every((name) => name !== undefined) ? [scheme.toLowerCase(), ...names] : undefined;
}

function decoded(text: string): string | undefined {
  try {
    const name = decodeURIComponent(text);
    // A database ends a text at a NUL, and would find another name.
    return name.includes('\0') ? undefined : name;
  } catch {
    return undefined;
  }
}

/** The URI that a template stands for with these values. */
export const expand = (template: string, values: Variables): string =>
  template.replace(/\{(\w+)\}/g, (_variable, name: string) => escaped(values[name] ?? ''));

/** All but the unreserved characters, as RFC 6570 says of simple expansion. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
