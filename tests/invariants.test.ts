import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { globSync } from './support/glob.js';
import { ROOT } from './support/paths.js';
import { idsProvedIn } from './support/proofs.js';

const declared = globSync(ROOT, 'packages', /invariants\.md$/).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\*\*(INV-[A-Z0-9-]+\d)/g)].map(([, id]) => id as string),
);
const files = [...globSync(ROOT, 'packages', /\.(test|contract)\.ts$/), ...globSync(ROOT, 'tests', /\.test\.ts$/)];
const proved = new Set(files.flatMap((file) => idsProvedIn(readFileSync(file, 'utf8'))));

test('there are invariants, each declared once', () => {
  expect(declared.length).toBeGreaterThan(40);
  expect(new Set(declared).size).toBe(declared.length);
});

test.each(declared)('%s has a test that bears its id', (id) => {
  expect(proved.has(id)).toBe(true);
});

test('no test bears the id of an invariant that is not declared', () => {
  expect([...proved].filter((id) => !declared.includes(id))).toEqual([]);
});

// Not spelled out: this file is searched too.
const ONE = 'INV-X-001';
const OTHER = 'INV-X-002';

test.each([
  [`test('${ONE}: is so', () => {`, [ONE]],
  [`  test(\n    '${ONE}, ${OTHER}: are so',`, [ONE, OTHER]],
  [`test.each([\n  ['a'],\n])('${ONE}: %s is so',`, [ONE]],
  [`test.runIf(isRoot)('${ONE}: is so',`, [ONE]],
  [`test.skip('${ONE}: is not run',`, []],
  [`test.todo('${ONE}: is not written')`, []],
  [`it.skip.each([1])('${ONE}: is not run',`, []],
  [`// test('${ONE}: is commented out',`, []],
  [`test('speaks of ${ONE} only',`, []],
])('%j proves %j', (source, ids) => {
  expect(idsProvedIn(source)).toEqual(ids);
});

test('no group of tests is left out as a whole', () => {
  const isLeftOut = (file: string) => /^\s*describe(?:\.\w+)*\.(?:skip|todo)\b/m.test(readFileSync(file, 'utf8'));
  expect(files.filter(isLeftOut)).toEqual([]);
});
