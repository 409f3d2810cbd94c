import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NODE, ROOT, temporaryFolder } from '../support/paths.js';

test('what is published installs in an empty folder and serves', { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const pnpm = ['-y', 'pnpm@12.18.0', 'pack', '--pack-destination', folder];
  execFileSync('npx', pnpm, { cwd: join(ROOT, 'packages/mcp-server'), stdio: 'ignore' });
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', join(folder, 'automatosx-mcp-server-0.1.0.tgz')], {
    cwd: folder,
    stdio: 'ignore',
  });

  const manifest = readFileSync(join(folder, 'node_modules/@automatosx/mcp-server/package.json'), 'utf8');
  expect(manifest).not.toMatch(/workspace:|\.\/src/);
  const { stdout, status } = spawnSync(
    NODE,
    ['node_modules/@automatosx/mcp-server/dist/bin.js', '--home', join(folder, 'home')],
    {
      cwd: folder,
      encoding: 'utf8',
      input: [
        {
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
        },
        { id: 2, method: 'tools/call', params: { name: 'memory_store', arguments: { key: 'a', value: 1 } } },
      ]
        .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        .join(''),
    },
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout.trim().split('\n')[1] ?? '').result.structuredContent).toMatchObject({ success: true });
});
