import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as contracts from '../index.js';
import { ERROR_CODES, TOOL_CODES } from '../response/errors.js';
import { toToolDefinition } from '../tool-definition.js';
import { TOOL_CATEGORIES, TOOL_CONTRACTS } from './index.js';

/** R = reads only, I = idempotent, D = destructive, O = open world; then the finer codes. */
const TOOLS: Record<string, readonly [category: string, hints: string, ...codes: string[]]> = {
  memory_store: ['mutation', 'I D', 'VALUE_TOO_LARGE', 'VERSION_CONFLICT'],
  memory_retrieve: ['query', 'R I'],
  memory_search: ['query', 'R I'],
  memory_list: ['query', 'R I'],
  memory_delete: ['mutation', 'I D', 'DELETE_FAILED'],
  memory_bulk_delete: ['mutation', 'I D', 'DELETE_FAILED'],
  session_create: ['mutation', ''],
  session_status: ['query', 'R I', 'SESSION_NOT_FOUND'],
  session_complete: [
    'mutation',
    '',
    ...['SESSION_NOT_FOUND', 'SESSION_ALREADY_COMPLETED', 'SESSION_INVALID_TRANSITION'],
  ],
  session_list: ['query', 'R I'],
  session_join: ['mutation', 'I', ...['SESSION_NOT_FOUND', 'SESSION_INVALID_TRANSITION', 'SESSION_MAX_PARTICIPANTS']],
  session_leave: [
    'mutation',
    '',
    ...['SESSION_NOT_FOUND', 'SESSION_NOT_PARTICIPANT', 'SESSION_INITIATOR_CANNOT_LEAVE'],
  ],
  session_fail: ['mutation', '', ...['SESSION_NOT_FOUND', 'SESSION_ALREADY_COMPLETED', 'SESSION_INVALID_TRANSITION']],
  trace_list: ['query', 'R I'],
  trace_get: ['query', 'R I', 'TRACE_NOT_FOUND'],
  trace_analyze: ['scan', 'R I', 'TRACE_NOT_FOUND'],
  config_get: ['query', 'R I', 'CONFIG_KEY_NOT_FOUND'],
  config_set: ['mutation', 'I D', 'CONFIG_KEY_NOT_FOUND', 'CONFIG_INVALID_VALUE', 'CONFIG_PROTECTED'],
  config_show: ['query', 'R I', 'CONFIG_KEY_NOT_FOUND'],
};

const contractOf = (name: string) => {
  const contract = TOOL_CONTRACTS.find((candidate) => candidate.name === name);
  if (!contract) throw new Error(`There is no contract of ${name}`);
  return contract;
};

test('the tools are these, in this order', () => {
  expect(TOOL_CONTRACTS.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
  expect(Object.keys(TOOL_CATEGORIES)).toEqual(Object.keys(TOOLS));
});

describe.each(Object.entries(TOOLS))('%s', (name, [category, hints, ...codes]) => {
  test('INV-MCP-TIMEOUT-002: has the category of the founding document', () => {
    expect(contractOf(name).category).toBe(category);
    expect(TOOL_CATEGORIES[name]).toBe(category);
  });

  test('INV-MCP-004: declares what it does', () => {
    const { readOnlyHint, idempotentHint, destructiveHint, openWorldHint } = toToolDefinition(
      contractOf(name),
    ).annotations;
    const letters = [readOnlyHint && 'R', idempotentHint && 'I', destructiveHint && 'D', openWorldHint && 'O'];
    expect(letters.filter(Boolean).join(' ')).toBe(hints);
  });

  test('INV-MCP-003: declares the codes it may answer with, and each is known', () => {
    const { errors } = contractOf(name);
    expect([...errors].sort()).toEqual(codes.sort());
    for (const code of errors) expect(ERROR_CODES).toHaveProperty(TOOL_CODES[code]);
  });

  test('INV-MCP-VAL-002: has input and output schemas, exported by their names', () => {
    const { input, output } = contractOf(name);
    const base = name.replace(/(^|_)([a-z])/g, (_all, _separator, letter: string) => letter.toUpperCase());
    const exported = new Map<string, unknown>(Object.entries(contracts));
    expect(input).toBeInstanceOf(z.ZodObject);
    expect(output).toBeInstanceOf(z.ZodObject);
    expect(exported.get(`${base}InputSchema`)).toBe(input);
    expect(exported.get(`${base}OutputSchema`)).toBe(output);
  });

  test('has a name in snake case with the prefix of its group', () => {
    expect(name).toMatch(/^(memory|session|trace|config)(_[a-z]+)+$/);
  });

  test('names only fields that it has as free-form', () => {
    const { input, freeForm } = contractOf(name);
    for (const field of freeForm) expect((input as z.ZodObject).shape).toHaveProperty(field);
  });
});

test('a read is never destructive', () => {
  const reads = TOOL_CONTRACTS.filter(({ effect }) => effect === 'read');
  expect(reads.filter(({ destructive }) => destructive)).toEqual([]);
});

test('every finer code of a tool is declared by one', () => {
  const declared = new Set<string>(TOOL_CONTRACTS.flatMap(({ errors }) => errors));
  expect(Object.keys(TOOL_CODES).filter((code) => !declared.has(code))).toEqual([]);
});

const PACKAGES = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The sources of all packages but this one; what only tests use is no part of the program. */
const sources = (): string[] =>
  readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])src[\\/].*\.ts$/.test(path) && !path.split(sep).includes('node_modules'))
    .filter((path) => !/\.(test|contract)\.ts$|[\\/]testing\.ts$/.test(path))
    .filter((path) => relative('contracts', path).startsWith('..'));

test('INV-MCP-008: no tool is defined outside this package', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(20);
  const defining = files.filter((path) => readFileSync(join(PACKAGES, path), 'utf8').includes('defineContract('));
  // What another server's tool takes and answers is that server's to say.
  expect(defining).toEqual([join('core', 'mcp-runtime', 'src', 'relay.ts')]);
});

test('INV-MCP-VAL-002: what implements a tool elsewhere names a contract of this package', () => {
  const names = new Map<string, unknown>(Object.entries(contracts));
  const implemented = sources()
    .filter((path) => !path.endsWith(join('src', 'types.ts')))
    .flatMap((path) => [...readFileSync(join(PACKAGES, path), 'utf8').matchAll(/\bimplement\(\s*([\w$]+)/g)])
    .map(([, name = '']) => name);
  expect(implemented.length).toBeGreaterThan(0);
  expect(implemented.filter((name) => !TOOL_CONTRACTS.includes(names.get(name) as never))).toEqual([]);
});
