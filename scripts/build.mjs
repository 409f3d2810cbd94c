// Bundles what users install into one file each, so that it starts fast.
import { chmodSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pnpm.mjs';

const { build } = await import('esbuild');
const { version } = JSON.parse(readFileSync(join(root, 'packages/mcp-server/package.json'), 'utf8'));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: ['libsql', 'ws', 'jose'],
  define: { __VERSION__: JSON.stringify(version) },
  logLevel: 'warning',
};

const bin = join(root, 'packages/mcp-server/dist/bin.js');
await build({
  ...shared,
  entryPoints: ['packages/mcp-server/src/bin.ts'],
  outfile: `${bin}.new`,
  minifySyntax: true,
  legalComments: 'none',
});
chmodSync(`${bin}.new`, 0o755);
// At once, for whoever starts it at this moment.
renameSync(`${bin}.new`, bin);
