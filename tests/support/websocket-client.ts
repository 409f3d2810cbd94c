import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineContract } from '@automatosx/contracts';
import { implement } from '@automatosx/mcp-runtime';
import { createServer, type ServerOptions, WebSocketClientTransport } from '@automatosx/mcp-server';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import * as z from 'zod';
import { createWebSocketEndpoint, type WebSocketOptions } from '../../packages/mcp-server/src/wire/websocket/server.js';
import type { Message } from './message.js';
import { checkMessage } from './oracle.js';
import { temporaryFolder } from './paths.js';

const contract = <I extends z.ZodType>(name: string, input: I) =>
  defineContract({
    name,
    title: name,
    description: 'A tool made for testing',
    category: 'query',
    effect: 'read',
    input,
    output: z.looseObject({}),
    errors: [],
  });

/** Tools that take long, answer long or ask back; `seen` counts what was called and what was cut short. */
export function slowTools() {
  const seen = { echoed: 0, started: 0, cancelled: 0 };
  const tools = [
    implement(contract('test_echo', z.looseObject({})), async (input) => {
      seen.echoed += 1;
      return { echo: input };
    }),
    implement(contract('test_wait', z.strictObject({ ms: z.int() })), async ({ ms }, { signal }) => {
      seen.started += 1;
      await sleep(ms, undefined, { signal }).catch((error: unknown) => {
        seen.cancelled += 1;
        throw error;
      });
      return { waited: ms };
    }),
    implement(contract('test_size', z.strictObject({ bytes: z.int(), ms: z.int() })), async ({ bytes, ms }) => {
      await sleep(ms);
      return { text: 'x'.repeat(bytes) };
    }),
    implement(contract('test_roots', z.strictObject({})), async (_input, { client }) => ({
      answers: await client.ask({ folders: { method: 'roots/list' } }),
    })),
  ];
  return { tools, seen };
}

type Limits = Omit<WebSocketOptions, 'server' | 'log'>;

/** A server in this process, on a home and a port of its own, that takes every WebSocket. */
export async function servedOverWebSocket(options: Partial<ServerOptions> = {}, limits: Limits = {}) {
  const home = temporaryFolder();
  const logged: string[] = [];
  const log: ServerOptions['log'] = (level, message) => logged.push(`${level}: ${message}`);
  const base = { home, workspace: home, isWorkspaceFixed: true, environment: {}, toolSelection: 'all' };
  const server = createServer({ ...base, version: '1.2.3', isStrict: true, log, ...options });
  const endpoint = await createWebSocketEndpoint({ server, log, ...limits });
  const http = createHttpServer();
  http.on('upgrade', (request, socket, head) => {
    const [, principal = 'local'] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    endpoint.upgrade(request, socket, head, { principal, isLocal: principal === 'local' });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await endpoint.close(0);
    await new Promise((resolve) => http.close(resolve));
    await server.close();
  });
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`, endpoint, server, http, logged, home };
}

/** A client at the level of frames. */
export async function connectedWebSocket(url: string, options: ClientOptions & { readonly protocols?: string[] } = {}) {
  const { protocols = ['mcp'], ...rest } = options;
  const socket = new WebSocket(url, protocols, rest);
  const messages: Message[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data) => {
    for (const message of [JSON.parse(data.toString())].flat()) {
      checkMessage(message, undefined);
      messages.push(message);
    }
  });
  await once(socket, 'open');
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());

  const until = async (matches: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = messages.find(matches);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  let count = 0;
  const send = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const request = (method: string, params?: unknown, id: string | number = `r-${++count}`): Promise<Message> => {
    send({ id, method, params });
    return until((message) => message.id === id && message.method === undefined);
  };
  const open = async (protocolVersion = '2025-11-25', capabilities = {}) => {
    const answer = await request('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 't', version: '1' },
    });
    send({ method: 'notifications/initialized' });
    return answer;
  };
  return { socket, messages, closed, until, send, request, open };
}

type Mode = 'auto' | 'legacy' | { pin: string };

/** The official client over our transport. */
export async function sdkClient(url: string, mode: Mode, capabilities = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities });
  const transport: Transport = new WebSocketClientTransport(url);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
