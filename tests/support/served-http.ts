import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type ServerOptions, serveHttp } from '@automatosx/mcp-server';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './paths.js';

interface ServedOptions extends Partial<ServerOptions> {
  readonly host?: string;
  readonly port?: number;
  /** What config.json says. */
  readonly settings?: object;
}

/** A server in this process, on a home and a port of its own, that is reached over real sockets. */
export async function servedHttp(options: ServedOptions = {}) {
  const { host = '127.0.0.1', port = 0, settings, environment = {}, ...given } = options;
  const home = temporaryFolder();
  if (settings) writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  const logged: string[] = [];
  const log: ServerOptions['log'] = (level, message) => logged.push(`${level}: ${message}`);
  const base = { home, workspace: home, isWorkspaceFixed: true, toolSelection: 'all', version: '1.2.3' };
  const server = createServer({ ...base, environment, isStrict: true, log, ...given });
  onTestFinished(() => server.close());
  const http = await serveHttp(server, { host, port, environment, log });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= http.close();
    return closed;
  };
  onTestFinished(close);
  const listening = Number(/\d+$/.exec(http.url)?.[0]);
  return { url: http.url, port: listening, server, close, logged, home };
}

/** An HTTP server that does nothing but this, on a port of its own. Gives its address. */
export async function servedBy(listener: RequestListener): Promise<string> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
