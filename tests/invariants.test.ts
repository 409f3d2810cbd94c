import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { globSync } from './support/glob.js';
import { ROOT } from './support/paths.js';

const declared = globSync(ROOT, 'packages', /invariants\.md$/).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\*\*(INV-[A-Z0-9-]+\d)/g)].map(([, id]) => id as string),
);
/** Ids that open the title of a test. */
const proved = new Set(
  [...globSync(ROOT, 'packages', /\.(test|contract)\.ts$/), ...globSync(ROOT, 'tests', /\.test\.ts$/)].flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:test|it)(?:\.\w+)?(?:\([^'"`]*\))?\(\s*['"`]((?:INV-[A-Z0-9-]+\d(?:, )?)+)/g,
      ),
    ].flatMap(([, ids]) => (ids as string).split(', ')),
  ),
);

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
