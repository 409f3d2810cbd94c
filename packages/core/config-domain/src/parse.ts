import { ConfigSchema } from '@automatosx/contracts/config';
import type * as z from 'zod';
import { type Environment, expand } from './expand.js';
import { isInert, isObject, type JsonObject, pathsOf } from './json.js';
import { placeOf, type ScannedJson, scanJson } from './json-text.js';
import { withoutKeys } from './merge.js';
import { formatPath } from './path.js';
import { describeUnknown } from './schema-keys.js';

export const MAX_CONFIG_BYTES = 1_048_576;

/** Of each kind: whoever mends a file wants the first few, and a hostile file has 100,000. */
const MAX_PROBLEMS = 5;

/** One thing that is wrong in a file, as a sentence without the file's name. */
export interface ConfigProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ParsedConfig {
  /** As it is written. */
  readonly file: JsonObject;
  /** What takes effect of it: variables expanded, untrusted keys left out. */
  readonly settings: JsonObject;
  readonly untrusted: readonly string[];
  /** If there are any, `file` and `settings` are not to be used. */
  readonly problems: readonly ConfigProblem[];
}

export interface ParseOptions {
  readonly environment: Environment;
  /** Paths that this file may not decide; they are not checked either, so that the rest works. */
  readonly untrustedKeys: readonly string[];
}

interface Finding {
  readonly path: readonly string[];
  readonly message: string;
}

/** Reads the text of a `config.json`. */
export function parseConfig(written: string, options: ParseOptions): ParsedConfig {
  if (Buffer.byteLength(written) > MAX_CONFIG_BYTES) return broken({ message: 'the file is larger than 1 MiB' });
  const text = written.replace(/^\uFEFF/, '');
  const scanned = scanJson(text);
  if ('message' in scanned) return broken({ message: scanned.message, ...placeOf(text, scanned.offset) });

  const file: unknown = JSON.parse(text);
  if (!isObject(file)) return broken({ message: 'expected an object', ...placeOf(text, 0) });
  const { kept, found } = withoutKeys(file, options.untrustedKeys);
  const { settings, findings } = check(file, kept, options.environment);
  return { file, settings, untrusted: found, problems: locate(findings, scanned, text) };
}

/** `line 3, column 5: unknown key limts; the nearest known one is limits`. */
export const describeProblem = ({ message, line, column }: ConfigProblem): string =>
  line === undefined ? message : `line ${line}, column ${column}: ${message}`;

const broken = (problem: ConfigProblem): ParsedConfig => ({
  file: {},
  settings: {},
  untrusted: [],
  problems: [problem],
});

function check(file: JsonObject, kept: JsonObject, environment: Environment) {
  const inert = [...pathsOf(file)].filter((path) => isInert(path.at(-1) ?? ''));
  if (inert.length > 0) return { settings: {}, findings: inert.slice(0, MAX_PROBLEMS).map(unknownKey) };

  const { settings, unset } = expand(kept, environment);
  const missing = unset.slice(0, MAX_PROBLEMS).map(({ path, name }) => ({ path, message: unsetMessage(path, name) }));
  const issues = ConfigSchema.safeParse(settings).error?.issues ?? [];
  const invalid = issues.slice(0, MAX_PROBLEMS).flatMap(toFindings);
  const isMissing = ({ path }: Finding) => missing.some((other) => formatPath(other.path) === formatPath(path));
  return { settings, findings: [...missing, ...invalid.filter((finding) => !isMissing(finding))] };
}

function toFindings(issue: z.core.$ZodIssue): Finding[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => unknownKey([...path, key]));
  }
  return [{ path, message: `${formatPath(path)} ${reasonOf(issue)}` }];
}

const unknownKey = (path: readonly string[]): Finding => ({ path, message: `unknown key ${describeUnknown(path)}` });

const unsetMessage = (path: readonly string[], name: string) =>
  `${formatPath(path)} needs the environment variable ${name}, which is not set`;

/** Zod's own words, which never repeat the value, without their headline. */
const reasonOf = ({ message }: z.core.$ZodIssue): string =>
  message.endsWith('received undefined')
    ? 'is missing'
    : `is not valid: ${message.replace(/^(?:Invalid \w+|Too \w+): /, '')}`;

const locate = (findings: readonly Finding[], scanned: ScannedJson, text: string): ConfigProblem[] =>
  findings
    .map(({ path, message }) => ({ message, offset: scanned.offsetOf(path) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ message, offset }) => ({ message, ...placeOf(text, offset) }));
