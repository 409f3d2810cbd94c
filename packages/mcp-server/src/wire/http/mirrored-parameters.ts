import { isObject } from '../../protocol/json-rpc.js';

/** A parameter of a tool that is repeated in a header: where it is in the arguments, and what the header is called. */
interface MirroredParameter {
  readonly name: string;
  readonly path: readonly string[];
}

const known = new WeakMap<object, readonly MirroredParameter[]>();

/** Found once per schema: most tools have none, and every call asks. */
export function mirroredParameters(schema: Readonly<Record<string, unknown>>): readonly MirroredParameter[] {
  const found = known.get(schema) ?? find(schema, []);
  known.set(schema, found);
  return found;
}

function find(schema: unknown, path: readonly string[]): MirroredParameter[] {
  if (!isObject(schema)) return [];
  const header = schema['x-mcp-header'];
  const own = typeof header === 'string' && path.length > 0 ? [{ name: `Mcp-Param-${header}`, path }] : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...properties.flatMap(([key, inner]) => find(inner, [...path, key]))];
}
