import { nearest, ToolError } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import * as z from 'zod';
import { isIndex, isInert } from './json.js';
import { formatPath } from './path.js';

/** The part of JSON Schema that tells which members there are. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

export interface SchemaKeys {
  /** True if the schema has a place for this path, whether or not anything is set there. */
  isKnown(path: readonly string[]): boolean;
  /** The known path that was probably meant, or as much of it as can be told; empty if nothing is close. */
  nearest(path: readonly string[]): readonly string[];
}

const MAX_SHOWN_LENGTH = 100;

/** Answers which paths a schema knows. The JSON Schema is made on the first question: it costs milliseconds of start. */
export function schemaKeys(schema: z.ZodType): SchemaKeys {
  let made: Node | undefined;
  const root = (): Node => {
    made ??= z.toJSONSchema(schema, { io: 'input' }) as Node;
    return made;
  };
  return {
    isKnown: (path) => path.reduce((nodes, name) => childrenOf(nodes, name), [root()]).length > 0,
    nearest: (path) => findWithPrefix(root(), path) ?? correct(root(), path),
  };
}

export const configKeys: SchemaKeys = schemaKeys(ConfigSchema);

/** `limts; the nearest known one is limits`, or only the name where nothing is close. */
export function describeUnknown(path: readonly string[]): string {
  const shown = path.map((name) => name.slice(0, MAX_SHOWN_LENGTH));
  const known = configKeys.nearest(shown);
  return `${formatPath(shown)}${known.length > 0 ? `; the nearest known one is ${formatPath(known)}` : ''}`;
}

export function requireKnown(path: readonly string[]): void {
  if (configKeys.isKnown(path)) return;
  throw new ToolError('CONFIG_KEY_NOT_FOUND', `There is no setting ${describeUnknown(path)}`);
}

const childrenOf = (nodes: readonly Node[], name: string): Node[] =>
  isInert(name) ? [] : nodes.flatMap((node) => childrenOfOne(node, name));

function childrenOfOne({ properties = {}, additionalProperties, items, anyOf = [] }: Node, name: string): Node[] {
  const alternatives = childrenOf(anyOf, name);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property) return [property, ...alternatives];
  if (typeof additionalProperties === 'object') return [additionalProperties, ...alternatives];
  return items && isIndex(name) ? [items, ...alternatives] : alternatives;
}

const namesOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ properties = {}, anyOf = [] }) => [...Object.keys(properties), ...namesOf(anyOf)]);

/** Somebody left out the beginning: `pageSize` for `limits.pageSize`. */
function findWithPrefix(root: Node, path: readonly string[]): readonly string[] | undefined {
  const wanted = `.${formatPath(path)}`;
  return knownPaths([root]).find((known) => formatPath(known).endsWith(wanted));
}

function knownPaths(nodes: readonly Node[], path: readonly string[] = []): (readonly string[])[] {
  return namesOf(nodes).flatMap((name) => {
    const known = [...path, name];
    return [known, ...knownPaths(childrenOf(nodes, name), known)];
  });
}

/** Follows the path as far as it is known, and takes the nearest name wherever it is not. */
function correct(root: Node, path: readonly string[]): readonly string[] {
  const corrected: string[] = [];
  let nodes: readonly Node[] = [root];
  for (const name of path) {
    const known = childrenOf(nodes, name).length > 0 ? name : nearest(name, namesOf(nodes));
    if (known === undefined) break;
    corrected.push(known);
    nodes = childrenOf(nodes, known);
  }
  return corrected;
}
