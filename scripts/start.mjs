// npm start: installs, builds, serves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install, root, run } from './pnpm.mjs';

// stdout belongs to the protocol.
const toStderr = { stdio: ['ignore', 2, 2] };
install(toStderr);
run(process.execPath, ['scripts/build.mjs'], toStderr);
const server = spawn(process.execPath, [join(root, 'packages/mcp-server/dist/bin.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));
