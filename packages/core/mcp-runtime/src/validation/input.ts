import { type ErrorCode, nearest, ToolError, type ValidationError } from '@automatosx/contracts';
import { beginningOf } from '../text.js';
import type { Middleware, ToolCall } from '../types.js';

const MAX_ERRORS = 20;
const MAX_PATH_LENGTH = 200;

/** Checks the arguments against the tool's schema and goes on with what the schema made of them (INV-MCP-001). */
export const validate: Middleware = (call, next) => {
  const result = call.tool.contract.input.safeParse(call.input);
  if (!result.success) throw toError(call, result.error.issues.flatMap(oneByOne));
  const { tool, context, startedAt, facts } = call;
  return next({ tool, input: result.data, context, startedAt, facts });
};

/** What we read of Zod's issues; each kind has some of these. */
interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly origin?: string;
}

/** Zod names all unknown keys of an object at once; each is a mistake of its own. */
const oneByOne = (issue: Issue): Issue[] =>
  issue.keys?.map((key) => ({ ...issue, path: [...issue.path, key] })) ?? [issue];

function toError({ tool, input }: ToolCall, issues: readonly Issue[]): ToolError {
  const known = Object.keys((tool.contract.input as { shape?: object }).shape ?? {});
  const errors = issues.slice(0, MAX_ERRORS).map((issue) => toValidationError(issue, input, known));
  const codes = new Set(issues.map((issue) => codeOf(issue, input)));
  const code = codes.size === 1 ? ([...codes][0] as ErrorCode) : 'INVALID_INPUT';
  const first = errors[0] as ValidationError;
  const where = first.path === '' ? '' : `${first.path}: `;
  return new ToolError(code, `${tool.contract.name} was refused: ${where}${first.message}`, { context: { errors } });
}

function codeOf(issue: Issue, input: unknown): ErrorCode {
  if (isMissing(issue, input)) return 'MISSING_REQUIRED_FIELD';
  if (issue.code === 'invalid_format') return 'INVALID_FORMAT';
  if (issue.code === 'too_big' && issue.origin === 'array') return 'ARRAY_TOO_LARGE';
  return 'INVALID_INPUT';
}

function toValidationError(issue: Issue, input: unknown, known: readonly string[]): ValidationError {
  const limit = issue.code === 'too_big' ? issue.maximum : issue.code === 'too_small' ? issue.minimum : undefined;
  const actual = sizeOf(valueAt(input, issue.path));
  return {
    path: beginningOf(pathOf(issue.path), MAX_PATH_LENGTH),
    code: isMissing(issue, input) ? 'missing' : issue.code,
    message: messageOf(issue, input, known),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(limit !== undefined && actual !== undefined && { actual }),
  };
}

function messageOf(issue: Issue, input: unknown, known: readonly string[]): string {
  if (isMissing(issue, input)) return 'is required';
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const hint = issue.path.length === 1 ? nearest(String(issue.path[0]), known) : undefined;
  return `There is no such argument${hint ? `; did you mean ${hint}?` : ''}`;
}

const isMissing = (issue: Issue, input: unknown) =>
  issue.path.length > 0 && issue.code !== 'unrecognized_keys' && valueAt(input, issue.path) === undefined;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    '',
  );

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' || Array.isArray(value) ? value.length : undefined;
}
