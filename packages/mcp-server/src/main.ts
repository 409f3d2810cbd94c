import { createRedactor, type Redactor } from '@automatosx/trace-domain';
import { type Arguments, HELP, parseArguments } from './arguments.js';
import { createServer } from './create-server.js';
import { createLog, type Log } from './log.js';
import type { Extra, Server } from './server.js';
import { VERSION } from './version.js';
import { CannotListen, serveHttp } from './wire/http/http-server.js';
import { serveStdio } from './wire/stdio.js';

const EXIT_FAILED = 1;
/** Wrong use, or a configuration that cannot be used. */
const EXIT_USAGE = 2;

const MAX_UNREAD_LOG_BYTES = 1024 * 1024;

/** Runs the server until its client is gone or it is told to end, and says with which code to exit. */
export async function main(extra: Extra = {}): Promise<number> {
  process.stderr.on('error', () => {});
  try {
    const given = parseArguments(process.argv.slice(2), process.env);
    if (given.shows !== undefined) {
      process.stdout.write(given.shows === 'help' ? HELP : `${VERSION}\n`);
      return 0;
    }
    const options = serverOptions(given);
    const server = createServer({ ...options, extra });
    return await (given.http ? runHttp(server, given.http, options) : runStdio(server, given, options.log));
  } catch (error) {
    process.stderr.write(`automatosx-mcp: ${(error as Error).message}\n`);
    return error instanceof CannotListen ? EXIT_FAILED : EXIT_USAGE;
  }
}

type Where = NonNullable<Arguments['http']>;

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

async function runStdio(server: Server, { home }: Arguments, log: Log): Promise<number> {
  log('info', 'Serving MCP on stdin and stdout', { version: VERSION, home });
  if (process.stdin.isTTY)
    process.stderr.write('Serving MCP on stdin and stdout; end with Ctrl-D. --help tells more.\n');
  const connection = serveStdio(server, { input: process.stdin, output: process.stdout });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, connection.close);
  // After the first answer, which needs no data.
  setImmediate(server.start);
  await connection.closed;
  await server.close();
  return 0;
}

async function runHttp(server: Server, where: Where, { environment, log }: Surroundings): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  try {
    await server.start();
    const http = await serveHttp(server, { ...where, environment, log });
    const { url } = http;
    process.stderr.write(`Serving MCP at ${url}/mcp, WebSocket at ${url.replace('http', 'ws')}/ws; end with Ctrl-C.\n`);
    await ended;
    await http.close();
    return 0;
  } finally {
    await server.close();
  }
}

/** A client that does not listen to stderr is no reason to end, and one that never reads it none to take memory. */
function writeToStderr(line: string): void {
  if (process.stderr.writableLength < MAX_UNREAD_LOG_BYTES) process.stderr.write(line);
}

function serverOptions(given: Arguments) {
  let redactor = createRedactor([]);
  return {
    ...given,
    version: VERSION,
    // A copy: every look at the real one asks the system.
    environment: { ...process.env },
    onRedactor: (current: Redactor) => {
      redactor = current;
    },
    isStrict: process.env.AUTOMATOSX_STRICT_OUTPUTS === '1',
    log: createLog({
      level: given.logLevel,
      write: writeToStderr,
      toJson: (value) => redactor.json(value),
    }),
  };
}
