import { ToolError } from '@automatosx/contracts';
import { PROTECTED_PATHS, TRUSTED_KEYS } from '@automatosx/contracts/config';
import { valueAt, withoutValueAt, withValueAt } from './at-path.js';
import type { FileScope } from './config-files.js';
import type { Json, JsonObject } from './json.js';
import { type ConfigProblem, describeProblem, type ParsedConfig } from './parse.js';
import { formatPath, parsePath } from './path.js';

export interface Edit {
  /** The file that it is made to. */
  readonly scope: FileScope;
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

interface Rule {
  readonly paths: readonly string[];
  readonly reason: string;
}

const PROTECTED: Rule = { paths: PROTECTED_PATHS, reason: 'changed by a tool call; edit the file to change it' };
const TRUSTED: Rule = { paths: TRUSTED_KEYS, reason: "decided by a project's file; set it in the scope global" };

/** What a project cannot decide is not checked in its file either, so that a wrong value would be written unseen. */
const rulesOf = (scope: FileScope): readonly Rule[] => (scope === 'project' ? [PROTECTED, TRUSTED] : [PROTECTED]);

/** Refuses a path that is protected in this file or lies below one that is. */
export function requireUnprotected(path: readonly string[], scope: FileScope): void {
  const isBelow = (names: readonly string[]) => names.every((name, at) => path[at] === name);
  const broken = rulesOf(scope).find(({ paths }) => paths.map(parsePath).some(isBelow));
  if (broken) throw refusal(formatPath(path), broken);
}

/** Makes one change to a file's text, or throws. */
export function editConfig(
  text: string | undefined,
  { scope, path, value }: Edit,
  parse: (text: string) => ParsedConfig,
): EditedFile {
  const { file: before, problems } = parse(text ?? '{}');
  requireNone(problems, 'The file is broken and must be mended first: ');
  const after = value === null ? withoutValueAt(before, path) : withValueAt(before, path, value);
  if (JSON.stringify(after) === JSON.stringify(before)) return { before, after, text: undefined };

  requireSameProtected(before, after, scope);
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
function requireSameProtected(before: JsonObject, after: JsonObject, scope: FileScope): void {
  const textAt = (file: JsonObject, path: string) => JSON.stringify(valueAt(file, parsePath(path)));
  for (const rule of rulesOf(scope)) {
    const changed = rule.paths.find((path) => textAt(before, path) !== textAt(after, path));
    if (changed !== undefined) throw refusal(changed, rule);
  }
}

const refusal = (path: string, { reason }: Rule) =>
  new ToolError('CONFIG_PROTECTED', `${path} cannot be ${reason}`, { context: { path } });

const indentOf = (text = ''): string | number => /\n([ \t]+)"/.exec(text)?.[1] ?? 2;
