import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BIN = join(ROOT, 'packages/mcp-server/dist/bin.js');
/** Beside the package, so that it finds the same database driver. */
export const FIXTURE = join(ROOT, 'packages/mcp-server/.cache/fixture.js');

/** The Node that the server under test runs on: this one, or another version that the test run was given. */
export const NODE = process.env.AUTOMATOSX_TEST_NODE ?? process.execPath;

export const temporaryFolder = (name = 'automatosx'): string => realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
