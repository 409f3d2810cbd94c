import { WebSocketClientTransport } from '@automatosx/mcp-server';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OlderSseTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OlderTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Participant, sdkParticipant } from './fuzz-participants.js';

const INFO = { name: 'test', version: '1' };
/** Else this process keeps their connections for whoever calls next, though they have left. */
const OPTIONS = { requestInit: { headers: { connection: 'close' } } };

export type Mode = 'auto' | 'legacy' | { pin: string };

/** The official client over HTTP. */
export async function sdkOverHttp(url: string, mode: Mode) {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), OPTIONS);
  await client.connect(transport);
  return { client, transport };
}

/** The official client of before, over HTTP. */
export async function olderSdkOverHttp(url: string) {
  const client = new OlderClient(INFO);
  const transport = new OlderHttpTransport(new URL('/mcp', url), OPTIONS);
  // Its own type says `sessionId?: string`, its transport `string | undefined`.
  await client.connect(transport as OlderTransport);
  return { client, transport };
}

async function olderSdkOverSse(url: string) {
  const client = new OlderClient(INFO);
  await client.connect(new OlderSseTransport(new URL('/sse', url), OPTIONS));
  return client;
}

async function sdkOverWebSocket(url: string, mode: Mode) {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  const transport: Transport = new WebSocketClientTransport(`${url.replace('http', 'ws')}/ws`);
  await client.connect(transport);
  return client;
}

/** Two official clients for each way of reaching the server. */
export const SDK_CLIENTS: Readonly<Record<string, readonly ((url: string) => Promise<Participant>)[]>> = {
  session: [
    async (url) => {
      const { client, transport } = await sdkOverHttp(url, 'legacy');
      const leave = () => transport.terminateSession().then(() => client.close());
      return sdkParticipant('sdk 2, session', client, { leave, drop: () => client.close() });
    },
    async (url) => {
      const { client, transport } = await olderSdkOverHttp(url);
      const leave = () => transport.terminateSession().then(() => client.close());
      return sdkParticipant('sdk 1, session', client, { leave, drop: () => client.close() });
    },
  ],
  stateless: (['auto', { pin: '2026-07-28' }] as const).map((mode) => async (url: string) => {
    const { client } = await sdkOverHttp(url, mode);
    return sdkParticipant('sdk 2, stateless', client, { leave: () => client.close(), drop: () => client.close() });
  }),
  sse: [olderSdkOverSse, olderSdkOverSse].map((connect) => async (url: string) => {
    const client = await connect(url);
    return sdkParticipant('sdk 1, sse', client, { leave: () => client.close(), drop: () => client.close() });
  }),
  websocket: (['legacy', 'auto'] as const).map((mode) => async (url: string) => {
    const client = await sdkOverWebSocket(url, mode);
    return sdkParticipant('sdk 2, websocket', client, { leave: () => client.close(), drop: () => client.close() });
  }),
};
