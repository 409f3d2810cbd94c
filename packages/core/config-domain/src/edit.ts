import { ToolError } from '@automatosx/contracts';
import { PROTECTED_PATHS } from '@automatosx/contracts/config';
import { valueAt, withoutValueAt, withValueAt } from './at-path.js';
import type { Json, JsonObject } from './json.js';
import { type ConfigProblem, describeProblem, type ParsedConfig } from './parse.js';
import { formatPath, parsePath } from './path.js';

export interface Edit {
  readonly path: readonly string[];
  /** Null removes the key. */
  readonly value: Json;
}

export interface EditedFile {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Undefined if there is nothing to write. */
  readonly text: string | undefined;
}

/** Refuses a path that is protected or lies below one that is. */
export function requireUnprotected(path: readonly string[]): void {
  const isBelow = (names: readonly string[]) => names.every((name, at) => path[at] === name);
  if (PROTECTED_PATHS.map(parsePath).some(isBelow)) throw protectedPath(formatPath(path));
}

/** Makes one change to a file's text, or throws. */
export function editConfig(
  text: string | undefined,
  { path, value }: Edit,
  parse: (text: string) => ParsedConfig,
): EditedFile {
  const { file: before, problems } = parse(text ?? '{}');
  requireNone(problems, 'The file is broken and must be mended first: ');
  const after = value === null ? withoutValueAt(before, path) : withValueAt(before, path, value);
  if (JSON.stringify(after) === JSON.stringify(before)) return { before, after, text: undefined };

  requireSameProtected(before, after);
  const next = `${JSON.stringify(after, null, indentOf(text))}\n`;
  // The lines are those of a text that nobody has seen.
  requireNone(parse(next).problems.map(({ message }) => ({ message })));
  return { before, after, text: next };
}

function requireNone([problem]: readonly ConfigProblem[], introduction = ''): void {
  if (!problem) return;
  throw new ToolError('CONFIG_INVALID_VALUE', introduction + describeProblem(problem));
}

/** Setting `trace` as a whole must not be a way to change `trace.redact`. */
function requireSameProtected(before: JsonObject, after: JsonObject): void {
  const textAt = (file: JsonObject, path: string) => JSON.stringify(valueAt(file, parsePath(path)));
  const changed = PROTECTED_PATHS.find((path) => textAt(before, path) !== textAt(after, path));
  if (changed !== undefined) throw protectedPath(changed);
}

const protectedPath = (path: string) =>
  new ToolError('CONFIG_PROTECTED', `${path} cannot be changed by a tool call; edit the file to change it`, {
    context: { path },
  });

const indentOf = (text = ''): string | number => /\n([ \t]+)"/.exec(text)?.[1] ?? 2;
