import { once } from 'node:events';
import { WebSocket } from 'ws';
import { cancelled, createInbox, type FuzzClient, INITIALIZED, initialize } from './fuzz-inbox.js';

/** A client of `/ws`; the stateless version opens nothing, and says its version with every request. */
export async function webSocketClient(url: string, version: string): Promise<FuzzClient> {
  const inbox = createInbox();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, 'mcp');
  socket.on('error', () => {});
  socket.on('message', (data) => inbox.push(data.toString()));
  await once(socket, 'open');
  const isStateless = version === '2026-07-28';
  const send = (message: object) =>
    new Promise<void>((resolve, reject) => {
      const text = JSON.stringify(isStateless ? stamped(message) : message);
      socket.send(text, (error) => (error ? reject(error) : resolve()));
    });
  if (!isStateless) {
    const opened = inbox.answerTo('opening');
    await send(initialize(version));
    await opened;
    await send(INITIALIZED);
  }
  return {
    inbox,
    send,
    cancel: (id) => send(cancelled(id)),
    leave: async () => {
      const closed = once(socket, 'close');
      socket.close(1000);
      await closed;
    },
    drop: () => socket.terminate(),
  };
}

function stamped(message: object): object {
  const { params, ...rest } = message as { params?: { _meta?: object } };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...params?._meta,
  };
  return { ...rest, params: { ...params, _meta: meta } };
}
