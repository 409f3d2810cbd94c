import { ToolError } from '@automatosx/contracts';
import { isIndex } from './json.js';

const PLAIN = /^[^.[\]"'\s]+$/;
/** A name (after a dot unless it is the first), or a place or a quoted name in brackets. */
const PART = /(?:^|(?<!^)\.)([^.[\]"'\s]+)|\[(\d+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/y;

/** `mcpServers["a.b"].args[0]` → `['mcpServers', 'a.b', 'args', '0']`. */
export function parsePath(path: string): string[] {
  const part = new RegExp(PART);
  const names: string[] = [];
  while (part.lastIndex < path.length) {
    const match = part.exec(path);
    const name = match?.[1] ?? unquote(match?.[2]);
    if (name === undefined) throw malformed(path);
    names.push(name);
  }
  if (names.length === 0) throw malformed(path);
  return names;
}

/** The shortest text that `parsePath` reads as these names. */
export const formatPath = (names: readonly string[]): string =>
  names
    .map((name, at) => {
      if (isIndex(name)) return `[${name}]`;
      if (!PLAIN.test(name)) return `[${JSON.stringify(name)}]`;
      return at === 0 ? name : `.${name}`;
    })
    .join('');

function unquote(bracketed: string | undefined): string | undefined {
  if (bracketed === undefined || /^\d/.test(bracketed)) return bracketed;
  const quoted = bracketed.startsWith("'") ? toDoubleQuotes(bracketed) : bracketed;
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

const toDoubleQuotes = (quoted: string): string => {
  const inner = quoted.slice(1, -1).replace(/\\.|"/g, (found) => ({ '"': '\\"', "\\'": "'" })[found] ?? found);
  return `"${inner}"`;
};

const malformed = (path: string) =>
  new ToolError(
    'CONFIG_KEY_NOT_FOUND',
    `${JSON.stringify(path)} is not a path: names are separated by dots, a name with dots stands in brackets and quotes`,
    { context: { path } },
  );
