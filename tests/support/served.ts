import { PassThrough } from 'node:stream';
import { createServer, type ServerOptions, serveStdio } from '@automatosx/mcp-server';
import { onTestFinished } from 'vitest';
import type { Message } from './message.js';
import { checkMessage } from './oracle.js';
import { temporaryFolder } from './paths.js';

/** A server in this process, on a home of its own, with a client at the other end of two streams. */
export function served(options: Partial<ServerOptions> = {}) {
  const home = temporaryFolder();
  const input = new PassThrough();
  const output = new PassThrough();
  const logged: string[] = [];
  const server = createServer({
    home,
    workspace: home,
    isWorkspaceFixed: true,
    environment: {},
    toolSelection: 'all',
    version: '1.2.3',
    isStrict: true,
    log: (level, message) => logged.push(`${level}: ${message}`),
    ...options,
  });
  const { closed, close } = serveStdio(server, { input, output });
  onTestFinished(async () => {
    input.end();
    await closed;
    await server.close();
  });

  const messages: Message[] = [];
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const message of lines.flatMap((line) => JSON.parse(line))) {
      checkMessage(message, undefined);
      messages.push(message);
    }
  });
  const until = async (matches: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = messages.find(matches);
      if (found) return found;
      await new Promise(setImmediate);
    }
  };
  let count = 0;
  const request = (method: string, params?: unknown, id: string | number = `r-${++count}`): Promise<Message> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return until((message) => message.id === id && message.method === undefined);
  };
  const notify = (method: string, params?: unknown) =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  const open = (protocolVersion = '2025-11-25', capabilities = {}) =>
    request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } });
  return { server, input, output, closed, close, messages, logged, home, until, request, notify, open };
}
