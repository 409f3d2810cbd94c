import { TRUSTED_KEYS } from '@automatosx/contracts/config';
import type { FileContent, FileScope } from './config-files.js';
import type { Environment } from './expand.js';
import { describeProblem, type ParsedConfig, parseConfig } from './parse.js';

/** One file as it is in force: where the newest text is broken, the rest is of the last good one. */
export interface Source extends Omit<ParsedConfig, 'problems'> {
  readonly name: string;
  readonly exists: boolean;
  readonly text: string | undefined;
  readonly error?: string;
}

/** Reads by the rules of a scope: what a project says of trusted keys has no effect. */
export const parserFor =
  (scope: FileScope, environment: Environment) =>
  (text: string): ParsedConfig =>
    parseConfig(text, { environment, untrustedKeys: scope === 'project' ? TRUSTED_KEYS : [] });

/** What is in force now that the file has this content. `previous` is undefined at first, and in a new project. */
export function nextSource(
  previous: Source | undefined,
  { name, text, error }: FileContent,
  parse: (text: string) => ParsedConfig,
): Source {
  const none: Source = { name, text, exists: false, file: {}, settings: {}, untrusted: [] };
  if (error !== undefined) return { ...none, ...previous, text, exists: true, error };
  if (text === undefined) return none;
  if (text === previous?.text) return previous;

  const { problems, ...parsed } = parse(text);
  if (problems.length === 0) return { ...none, ...parsed, exists: true };
  return { ...none, ...previous, text, exists: true, error: problems.map(describeProblem).join('; ') };
}
