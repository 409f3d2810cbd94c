// pnpm run docs: writes what can be derived, docs/tools.md and docs/schemas/config.schema.json, from the contracts.
// With --check nothing is written; the exit code is 1 if something would be.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { settingsIn } from './docs/settings.mjs';
import { toolReference } from './docs/tool-reference.mjs';
import { root } from './pnpm.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

/** The contracts are TypeScript, so they are bundled in memory and imported from there. */
async function contracts() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      resolveDir: root,
      contents: "export * from '@automatosx/contracts'; export { ConfigSchema } from '@automatosx/contracts/config';",
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** The schema of config.json for editors. What a setting means is told once, in docs/configuration.md. */
function configSchema({ ConfigSchema, toJsonSchema }) {
  const schema = toJsonSchema(ConfigSchema, 'input');
  for (const { path, meaning } of settingsIn(read('docs/configuration.md'))) {
    const node = path.split('.').reduce((parent, name) => parent?.properties?.[name], schema);
    if (node) node.description = meaning.replaceAll('`', '');
  }
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'AutomatosX config.json' };
  return JSON.stringify({ ...head, ...schema }, null, 2);
}

/** As `biome check` wants it, so that what is written here is never changed by it. */
const formatted = (path, text) =>
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', `--stdin-file-path=${path}`],
    {
      cwd: root,
      input: text,
      encoding: 'utf8',
    },
  );

const source = await contracts();
const files = Object.entries({
  'docs/tools.md': toolReference(source),
  'docs/schemas/config.schema.json': configSchema(source),
}).map(([path, text]) => ({ path, text: formatted(path, text) }));

const stale = files.filter(({ path, text }) => !existsSync(join(root, path)) || read(path) !== text);
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is not what the contracts say; run: pnpm run docs`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const { path, text } of stale) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`Wrote ${path}`);
}
