import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { globSync } from './support/glob.js';
import { ROOT } from './support/paths.js';

/** What each package may import of ours. Imports point one way. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  'memory-domain': ['contracts'],
  'session-domain': ['contracts'],
  'trace-domain': ['contracts'],
  'config-domain': ['contracts'],
  'mcp-runtime': ['contracts'],
  guard: ['contracts'],
  storage: ['contracts', 'memory-domain', 'session-domain', 'trace-domain', 'config-domain', 'mcp-runtime'],
  'mcp-server': [
    'contracts',
    'memory-domain',
    'session-domain',
    'trace-domain',
    'config-domain',
    'mcp-runtime',
    'guard',
    'storage',
  ],
};

const manifests = globSync(ROOT, 'packages', /package\.json$/).map((file) => ({
  folder: dirname(file),
  manifest: JSON.parse(readFileSync(file, 'utf8')),
}));

const sources = (folder: string) => globSync(folder, 'src', /(?<!\.test|\.contract)\.ts$/);

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, name]) => name as string,
  );

test.each(manifests.map(({ folder, manifest }) => [manifest.name.replace('@automatosx/', ''), folder]))(
  '%s imports only what stands below it',
  (name, folder) => {
    const imported = sources(folder)
      .flatMap(importsOf)
      .filter((target) => target.startsWith('@automatosx/'));
    const packages = new Set(imported.map((target) => target.split('/')[1]));
    expect([...packages].filter((target) => !MAY_IMPORT[name]?.includes(target as string))).toEqual([]);
  },
);

test('no file imports another package by its path', () => {
  const crossing = manifests.flatMap(({ folder }) =>
    sources(folder).filter((file) =>
      importsOf(file).some(
        (target) => target.startsWith('.') && relative(folder, join(dirname(file), target)).startsWith('..'),
      ),
    ),
  );
  expect(crossing).toEqual([]);
});

test('no source imports in a circle', () => {
  const files = manifests.flatMap(({ folder }) => sources(folder));
  const edges = new Map(files.map((file) => [file, valueImports(file)]));
  expect(findCycle(edges)).toBeUndefined();
});

/** Files of the same package that are imported for more than their types. */
const valueImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s+(?!type\b)[^'"]*?from\s+['"](\.[^'"]+)['"]/gm)]
    .filter(([statement]) => !/\{(?:\s*type\s+\w+,?)+\s*\}/.test(statement))
    .map(([, target]) => join(dirname(file), (target as string).replace(/\.js$/, '.ts')));

function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of edges.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

test('sources are short enough to read at once', () => {
  const long = manifests
    .flatMap(({ folder }) => sources(folder))
    .filter((file) => readFileSync(file, 'utf8').split('\n').length > 250);
  expect(long).toEqual([]);
});

test('what users install declares what its bundle leaves outside, and nothing of the workspace', () => {
  const { manifest } = manifests.find(
    ({ manifest }) => manifest.name === '@automatosx/mcp-server',
  ) as (typeof manifests)[0];
  expect(Object.keys(manifest.dependencies)).toEqual(['jose', 'libsql', 'ws']);
  expect(manifest.files).toEqual(['dist']);
  const bundle = readFileSync(join(ROOT, 'packages/mcp-server/dist/bin.js'), 'utf8');
  const outside = [...bundle.matchAll(/^import .* from ["']([^"']+)["']/gm)].map(([, name]) => name as string);
  expect(outside.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
