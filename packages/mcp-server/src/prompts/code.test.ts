import { expect, onTestFinished, test } from 'vitest';
import { emptyStores } from '../resources/testing.js';
import { codePrompts } from './code.js';
import { got } from './testing.js';

function remembered() {
  const stores = emptyStores(onTestFinished);
  return { ...stores, prompts: codePrompts(stores.memory) };
}

test('code-review names the files and what to look at', async () => {
  const { prompts } = remembered();
  const { text } = await got(prompts, 'code-review', { files: 'src/a.ts, src/b.ts', focus_areas: 'security' });
  expect(text).toContain('Files:\n<data-1>\nsrc/a.ts, src/b.ts\n</data-1>');
  expect(text).toMatch(/Focus areas.*:\n<data-1>\nsecurity\n<\/data-1>/);
  expect(text).not.toContain('Memory holds');
  expect((await got(prompts, 'code-review', { files: 'a.ts' })).text).not.toContain('Focus areas');
});

test('code-review embeds what memory holds about the files, each entry once', async () => {
  const { prompts, put } = remembered();
  await put('review: login.ts', 'the session is never closed');
  await put('decision', 'src/auth/login.ts must not log passwords');
  await put('unrelated', 'about src/other.ts');
  const { text } = await got(prompts, 'code-review', { files: 'src/auth/login.ts\nREADME.md, src/auth/login.ts' });
  expect(text).toContain('Memory holds this about the files:');
  expect(text.match(/the session is never closed/g)).toHaveLength(1);
  expect(text.match(/must not log passwords/g)).toHaveLength(1);
  expect(text).not.toContain('about src/other.ts');
});

test('refactor-plan tells target, goals and constraints, and what memory holds about the target', async () => {
  const { prompts, put } = remembered();
  await put('note', 'The payment module is used by billing');
  const given = { target: 'payment module', goals: 'fewer files', constraints: 'no new dependency' };
  const { text } = await got(prompts, 'refactor-plan', given);
  for (const part of [...Object.values(given), 'The payment module is used by billing']) {
    expect(text).toMatch(new RegExp(`<data-1>\\n"?${part}"?\\n</data-1>`));
  }
  const bare = await got(prompts, 'refactor-plan', { target: 'x'.repeat(90_000) });
  expect(bare.text).not.toMatch(/Goals:|Constraints:|Memory holds/);
});

test.each(['', ',,\n', '"', "'; --", '*', '\0'])('the files %j find nothing and harm nothing', async (files) => {
  const { prompts, put } = remembered();
  await put('k');
  expect((await got(prompts, 'code-review', { files })).text).not.toContain('Memory holds');
});
