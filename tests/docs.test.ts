import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ERROR_CODES,
  HANDSHAKE_VERSIONS,
  LAYER_CODES,
  STATELESS_VERSIONS,
  TOOL_CODES,
  TOOL_CONTRACTS,
} from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import { afterAll, describe, expect, test } from 'vitest';
import { PageRunner } from './support/examples.js';
import { globSync } from './support/glob.js';
import { isObject } from './support/json.js';
import { anchorsIn, codeSpansIn, isForUsers, linksIn, type Page, pageAt, pages, rowsIn } from './support/markdown.js';
import { NODE, ROOT } from './support/paths.js';

const TOOL_NAMES = TOOL_CONTRACTS.map(({ name }) => name);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const unquoted = (cell = '') => cell.replaceAll('`', '');

const withExamples = pages.filter(({ blocks }) => blocks.length > 0);

test('there are examples to run', () => {
  expect(withExamples.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/answers.md']));
});

describe.each(withExamples.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  const runner = new PageRunner(page);
  afterAll(() => runner.end());

  test.each(page.blocks.map((block) => [block.line, block.language, block] as const))(
    'the example in line %i (%s) is true',
    (_line, _language, block) => runner.run(block),
  );
});

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  test('has no block of code that is not run', () => {
    expect(page.prose).not.toMatch(/^\s*(```|~~~)/m);
  });

  test('links lead somewhere', () => {
    const broken = linksIn(page.prose)
      .filter((target) => !target.startsWith('https://'))
      .filter((target) => !leadsSomewhere(page, target));
    expect(broken).toEqual([]);
  });

  test('names only tools, files and settings that there are', () => {
    const spans = codeSpansIn(page.prose);
    expect(spans.filter((span) => !isKnown(span))).toEqual([]);
  });
});

const HELP = spawnSync(NODE, ['packages/mcp-server/dist/bin.js', '--help'], { cwd: ROOT, encoding: 'utf8' }).stdout;
const CODES = Object.keys({ ...ERROR_CODES, ...TOOL_CODES, ...LAYER_CODES });

test.each(pages.filter(isForUsers))('$path names only options, variables and codes that there are', ({ prose }) => {
  const words = codeSpansIn(prose).map((span) => span.split(/[ =]/)[0] as string);
  expect(words.filter((word) => word.startsWith('--') && !HELP.includes(`${word} `))).toEqual([]);
  const capitals = words.filter((word) => /^[A-Z]+(_[A-Z]+)+$/.test(word));
  expect(capitals.filter((word) => !(word.startsWith('AUTOMATOSX_') ? isRead(word) : CODES.includes(word)))).toEqual(
    [],
  );
});

test.each(pages.filter(({ path }) => /\/README\.md$|decisions\//.test(path)))('$path is read at once', ({ path }) => {
  expect(read(path).split('\n').length).toBeLessThanOrEqual(40);
});

function leadsSomewhere({ path }: Page, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? path : join(dirname(path), file);
  return existsSync(join(ROOT, found)) && (anchor === undefined || anchorsIn(pageAt(found).prose).includes(anchor));
}

/** Issues that `trace_analyze` finds, as the code names them. */
const ISSUES = globSync(ROOT, 'packages/core/trace-domain/src', /(findings|repetitions)\.ts$/).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/type: '(\w+)'/g)].map(([, type]) => type as string),
);

const SETTINGS = JSON.parse(read('docs/schemas/config.schema.json'));

const PROMPTS = ['run_workflow', 'analyze_trace', 'search_memory', 'list_agents', 'run_agent'];

function isKnown(span: string): boolean {
  if (/^[a-z]+(_[a-z]+)+$/.test(span)) return [...TOOL_NAMES, ...ISSUES, ...PROMPTS].includes(span);
  if (/^(packages|tests|scripts|docs|bench)\/[\w./-]+$/.test(span)) return existsSync(join(ROOT, span));
  const [first = '', ...rest] = span.split('.');
  const isSetting = first in SETTINGS.properties && rest.length > 0 && rest.every((name) => /^\w+$/.test(name));
  return !isSetting || schemaAt(span) !== undefined;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

const schemaAt = (path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((node, name) => {
    const others = isObject(node?.additionalProperties) ? node.additionalProperties : undefined;
    return node?.properties?.[name] ?? others;
  }, SETTINGS);

/** True if some code reads the variable. */
const isRead = (variable: string): boolean =>
  globSync(ROOT, 'packages', /\/src\/.*\.ts$/).some((file) => readFileSync(file, 'utf8').includes(variable));

test('README.md tells how many tools there are, and every protocol version', () => {
  const { prose } = pageAt('README.md');
  const versions = [...HANDSHAKE_VERSIONS, ...STATELESS_VERSIONS];
  expect(prose).toContain(`${TOOL_NAMES.length} tools`);
  expect(versions.filter((version) => !prose.includes(version))).toEqual([]);
});

test('README.md and docs/tools.md name every tool', () => {
  for (const path of ['README.md', 'docs/tools.md']) {
    expect(codeSpansIn(pageAt(path).prose)).toEqual(expect.arrayContaining(TOOL_NAMES));
  }
});

test('what is derived from the contracts is up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

describe('docs/configuration.md', () => {
  const rows = rowsIn(pageAt('docs/configuration.md').prose)
    .map(([path, shown, meaning]) => ({ path: unquoted(path), shown: unquoted(shown), meaning }))
    .filter(({ path }) => schemaAt(path) !== undefined);

  test('tells every setting, once', () => {
    const paths = rows.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const isTold = (leaf: string) => paths.some((path) => leaf === path || leaf.startsWith(`${path}.`));
    expect(leavesOf(SETTINGS).filter((leaf) => !isTold(leaf))).toEqual([]);
  });

  test.each(rows)('$path has the default that the table shows, and a meaning', ({ path, shown, meaning }) => {
    const defaults: unknown = ConfigSchema.parse({});
    const actual = path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], defaults);
    // What is set already for some tools stands in the meaning.
    if (path === 'limits.request.toolArrayLimits') expect(limitsIn(meaning)).toEqual(ofOurTools(actual));
    else expect(shown === '–' ? undefined : JSON.parse(shown)).toEqual(actual);
    expect(meaning).toMatch(/\w/);
  });
});

const leavesOf = ({ properties }: Schema, prefix = ''): string[] =>
  Object.entries(properties ?? {}).flatMap(([name, node]) =>
    node.properties ? leavesOf(node, `${prefix}${name}.`) : [prefix + name],
  );

/** "`a` and `b` 10,000" → {a: 10000, b: 10000} */
const limitsIn = (meaning = ''): Record<string, number> =>
  Object.fromEntries(
    [...meaning.matchAll(/((?:`\w+`(?: and )?)+) ([\d,]+)/g)].flatMap(([, names, count]) =>
      codeSpansIn(names as string).map((name) => [name, Number(count?.replaceAll(',', ''))]),
    ),
  );

const ofOurTools = (limits: unknown) =>
  Object.fromEntries(Object.entries(limits as object).filter(([name]) => TOOL_NAMES.includes(name)));

test('docs/answers.md tells every code and whether to try again', () => {
  const retries = { never: false, yes: true, 'if safe to repeat': 'if-idempotent' } as const;
  const rows = rowsIn(pageAt('docs/answers.md').prose).map((cells) => cells.map(unquoted));
  const told = rows.filter(([code = '']) => code in ERROR_CODES);
  const asTable = told.map(([code, , retry]) => [code, { retryable: retries[retry as keyof typeof retries] }]);
  expect(Object.fromEntries(asTable)).toEqual(ERROR_CODES);
  const finer = rows.filter(([code = '']) => code in LAYER_CODES).map(([finerCode, code]) => [finerCode, code]);
  expect(Object.fromEntries(finer)).toEqual(LAYER_CODES);
});

test('docs/traces.md tells every issue', () => {
  const rows = rowsIn(pageAt('docs/traces.md').prose).map(([issue]) => unquoted(issue));
  expect(rows.filter((issue) => ISSUES.includes(issue)).sort()).toEqual([...new Set(ISSUES)].sort());
});

test('docs/picture.svg shows the layers in their order', () => {
  const shown = [...read('docs/picture.svg').matchAll(/class="layer"[^>]*>(\w+)</g)].map(([, name]) => name as string);
  const [, list = ''] = /\[\n([\s\S]*)\n\];/.exec(read('packages/core/mcp-runtime/src/layers.ts')) ?? [];
  const layers = [...list.matchAll(/^ {2}(?:options\.)?(\w+)/gm)].map(([, name]) => name as string);
  expect(layers.map((name) => name.replace(/Layer$|Limits$/, ''))).toEqual(shown);
});

test('AGENTS.md has a line for every folder', () => {
  const tree = pageAt('AGENTS.md').blocks.find(({ language }) => language === 'tree')?.text ?? '';
  const told = tree
    .trim()
    .split('\n')
    .map((line) => /^(\S+) {2,}\S/.exec(line)?.[1]);
  expect([...told].sort()).toEqual(foldersBelow('.').sort());
});

const LEFT_OUT = ['node_modules', 'dist', 'coverage', '.cache', '.git'];

/** Folders that hold more than a manifest and a README. */
function foldersBelow(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const inner = entries.filter((entry) => entry.isDirectory() && !LEFT_OUT.includes(entry.name));
  const files = entries.filter((entry) => entry.isFile() && !['package.json', 'README.md'].includes(entry.name));
  const isTold = folder !== '.' && files.length > 0;
  return [...(isTold ? [folder] : []), ...inner.flatMap(({ name }) => foldersBelow(join(folder, name)))];
}
