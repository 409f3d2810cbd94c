import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { BIN, FIXTURE, NODE, temporaryFolder } from './paths.js';

export interface HttpServerOptions {
  readonly home?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `bin` is the product, `fixture` the product with tools made for testing. */
  readonly program?: 'bin' | 'fixture';
  readonly nodeArgs?: readonly string[];
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  readonly home: string;
  readonly process: ChildProcessWithoutNullStreams;
  stderr(): string;
  /** Ends it as a service manager does, and gives the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built server on a port of its own. It is killed when the test is over. */
export async function startHttp(options: HttpServerOptions = {}): Promise<RunningServer> {
  const server = await startHttpServer(options);
  onTestFinished(async () => {
    server.process.kill('SIGKILL');
    if (server.process.exitCode === null && server.process.signalCode === null) await once(server.process, 'exit');
  });
  return server;
}

/** The same for whoever stops it themselves, such as a whole file's `afterAll`. */
export async function startHttpServer(options: HttpServerOptions = {}): Promise<RunningServer> {
  const { program = 'bin', args = [], env = {}, home = temporaryFolder(), nodeArgs = [] } = options;
  const file = program === 'bin' ? BIN : FIXTURE;
  const words = ['--transport', 'http', '--port', '0', '--home', home, '--workspace', home, ...args];
  const child = spawn(NODE, [...nodeArgs, file, ...words], {
    env: { PATH: process.env.PATH ?? '', HOME: home, AUTOMATOSX_STRICT_OUTPUTS: '1', ...env },
  });
  let stderr = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      const found = /Serving MCP at (http:\/\/\S+)\/mcp/.exec(stderr)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    home,
    process: child,
    stderr: () => stderr,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}
