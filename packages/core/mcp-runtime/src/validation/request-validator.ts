import {
  type ErrorCode,
  type MCPRequestLimits,
  ToolError,
  type ValidationError,
  type ValidationResult,
} from '@automatosx/contracts';
import { beginningOf } from '../text.js';
import type { Middleware, ToolCall } from '../types.js';
import { arrayLimitFor } from './array-limits.js';

/** No honest call has more fields in one object; an object of a million is an attack on whoever walks it. */
const MAX_KEYS = 10_000;
const MAX_ERRORS = 20;
const MAX_PATH_LENGTH = 200;

/** Refuses what is too large, too deep or not JSON, before anything looks at it (INV-MCP-LIMIT-002). */
export const limits =
  (current: () => MCPRequestLimits): Middleware =>
  (call, next) => {
    const result = checkRequest(call, current());
    if (!result.valid) throw toError(call, result.errors);
    return next(call);
  };

export function checkRequest(
  { tool, input }: Pick<ToolCall, 'tool' | 'input'>,
  limits: MCPRequestLimits,
): ValidationResult {
  const { name, freeForm } = tool.contract;
  const errors: ValidationError[] = [];
  // What goes to somebody else's tool is theirs to judge; the size of the request bounds its texts.
  // Field by field: with a spread V8 leaves its fast path (6 µs a call).
  const walk: Walk = tool.relayed
    ? { maxDepth: 64, maxItems: 10_000, maxLength: Number.POSITIVE_INFINITY, freeForm, errors }
    : {
        maxDepth: limits.maxObjectDepth,
        maxItems: arrayLimitFor(name, limits),
        maxLength: limits.maxStringLength,
        freeForm,
        errors,
      };
  check(input, { path: '', depth: 1 }, walk);
  return errors.length === 0 ? { valid: true } : { valid: false, errors };
}

interface Walk {
  readonly maxDepth: number;
  readonly maxItems: number;
  readonly maxLength: number;
  /** Arguments whose texts may have any length. */
  readonly freeForm: readonly string[];
  readonly errors: ValidationError[];
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function check(value: unknown, place: Place, walk: Walk): void {
  if (walk.errors.length >= MAX_ERRORS) return;
  if (typeof value === 'string') checkText(value, place, walk);
  else if (typeof value === 'number') checkNumber(value, place, walk);
  else if (typeof value !== 'object' || value === null) return;
  else if (place.depth > walk.maxDepth) {
    refuse(walk, place, { code: 'too_deep', noun: 'levels', limit: walk.maxDepth, actual: place.depth });
  } else if (Array.isArray(value)) checkArray(value, place, walk);
  else checkObject(value, place, walk);
}

function checkArray(items: readonly unknown[], place: Place, walk: Walk): void {
  if (items.length > walk.maxItems) {
    refuse(walk, place, { code: 'array_too_large', noun: 'items', limit: walk.maxItems, actual: items.length });
    return;
  }
  for (let index = 0; index < items.length; index++) {
    check(items[index], { path: `${place.path}[${index}]`, depth: place.depth + 1 }, walk);
  }
}

function checkObject(value: object, place: Place, walk: Walk): void {
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) {
    refuse(walk, place, { code: 'too_many_keys', noun: 'keys', limit: MAX_KEYS, actual: keys.length });
    return;
  }
  for (const key of keys) {
    const inner = { path: place.path === '' ? key : `${place.path}.${key}`, depth: place.depth + 1 };
    checkText(key, inner, walk);
    const isFree = place.depth === 1 && walk.freeForm.includes(key);
    const rules = isFree ? { ...walk, maxLength: Number.POSITIVE_INFINITY } : walk;
    check((value as Record<string, unknown>)[key], inner, rules);
  }
}

function checkText(text: string, place: Place, walk: Walk): void {
  if (text.length > walk.maxLength) {
    refuse(walk, place, { code: 'string_too_long', noun: 'characters', limit: walk.maxLength, actual: text.length });
  } else if (!text.isWellFormed()) {
    report(walk, place, { code: 'invalid_unicode', what: 'holds half a character' });
  }
}

function checkNumber(value: number, place: Place, walk: Walk): void {
  if (!Number.isFinite(value)) report(walk, place, { code: 'not_finite', what: 'is too large a number' });
}

interface Excess {
  readonly code: string;
  readonly noun: string;
  readonly limit: number;
  readonly actual: number;
}

/** Names path, limit and actual value (INV-MCP-LIMIT-004). */
const refuse = (walk: Walk, place: Place, { code, noun, limit, actual }: Excess): void =>
  report(walk, place, { code, what: `has ${actual} ${noun}; at most ${limit} are allowed`, size: { limit, actual } });

interface Fault {
  readonly code: string;
  readonly what: string;
  readonly size?: { readonly limit: number; readonly actual: number };
}

function report({ errors }: Walk, place: Place, { code, what, size }: Fault): void {
  if (errors.length >= MAX_ERRORS) return;
  // A key may hold half a character itself, which not every client can read.
  const path = beginningOf(place.path, MAX_PATH_LENGTH).toWellFormed();
  errors.push({ path, code, message: `${path || 'The arguments'} ${what}`, ...size });
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  array_too_large: 'ARRAY_TOO_LARGE',
  invalid_unicode: 'INVALID_FORMAT',
  not_finite: 'INVALID_FORMAT',
};

function toError({ tool }: ToolCall, errors: readonly ValidationError[]): ToolError {
  const codes = new Set(errors.map(({ code }) => CODES[code] ?? 'INVALID_INPUT'));
  const code = codes.size === 1 ? ([...codes][0] as ErrorCode) : 'INVALID_INPUT';
  return new ToolError(code, `${tool.contract.name} was refused: ${errors[0]?.message}`, { context: { errors } });
}
