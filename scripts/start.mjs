// npm start: installs, builds, serves over HTTP; npm start -- --transport stdio serves stdio.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, root, run } from './pnpm.mjs';

// stdout belongs to the protocol.
const toStderr = { stdio: ['ignore', 2, 2] };
install(toStderr);
run(process.execPath, ['scripts/build.mjs'], toStderr);
const given = process.argv.slice(2);
const isGiven = given.some((word) => word === '--transport' || word.startsWith('--transport='));
const words = isGiven ? given : ['--transport', 'http', ...given];
const server = spawn(process.execPath, [join(root, 'packages/mcp-server/dist/bin.js'), ...words], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
// npm ends without passing a signal on to what its shell runs; whoever stops npm means the server.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && server.kill('SIGTERM'), 500).unref();
server.on('exit', (code) => process.exit(code ?? 1));
