import type { RawData, WebSocket } from 'ws';
import { isObject } from '../../protocol/json-rpc.js';
import { within } from '../../within.js';
import { PING_INTERVAL_MS, startHeartbeat } from './heartbeat.js';
import { HIGH_WATER_BYTES } from './high-water.js';
import { SUBPROTOCOL } from './subprotocol.js';

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/** A server that does not say goodbye within this is left without. */
const CLOSING_MS = 2000;

export interface WebSocketClientOptions {
  /** Sent with the request for the upgrade; a token goes here. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly connectTimeoutMs?: number;
  readonly pingIntervalMs?: number;
  /** The longest message that is taken. */
  readonly maxPayloadBytes?: number;
}

export interface JsonRpcMessage {
  readonly jsonrpc: '2.0';
}

interface Outgoing {
  readonly text: string;
  readonly settle: (error?: Error | null) => void;
}

/** A client's end of MCP over a WebSocket, as the official SDK's clients take it. */
export class WebSocketClientTransport {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;

  readonly #url: URL;
  readonly #options: WebSocketClientOptions;
  readonly #outgoing: Outgoing[] = [];
  #state: 'new' | 'started' | 'closed' = 'new';
  #webSocket: WebSocket | undefined;
  #closing: Promise<void> | undefined;

  constructor(url: string | URL, options: WebSocketClientOptions = {}) {
    this.#url = new URL(url);
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error(`The transport was ${this.#state} already`);
    this.#state = 'started';
    const webSocket = await this.#open();
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    const opened = new Promise((resolve, reject) => webSocket.once('open', resolve).once('error', reject));
    if (await within(connectTimeoutMs, opened)) return;
    webSocket.terminate();
    throw new Error(`${this.#url.host} did not open a WebSocket within ${connectTimeoutMs} ms`);
  }

  /** Resolves when the frame was handed to the system; waits while the server does not read. */
  send(message: JsonRpcMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error | null) => (error ? reject(error) : resolve());
      this.#outgoing.push({ text: JSON.stringify(message), settle });
      this.#sendWaiting();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #open(): Promise<WebSocket> {
    const { headers, pingIntervalMs = PING_INTERVAL_MS, maxPayloadBytes = MAX_PAYLOAD_BYTES } = this.#options;
    const { WebSocket } = await import('ws');
    if (this.#state === 'closed') throw new Error('The transport was closed');
    const webSocket = new WebSocket(this.#url, SUBPROTOCOL, {
      headers: { ...headers },
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: maxPayloadBytes,
    });
    this.#webSocket = webSocket;
    webSocket.once('upgrade', ({ socket }) => startHeartbeat(webSocket, socket, pingIntervalMs));
    webSocket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    webSocket.on('error', (error) => this.onerror?.(error));
    webSocket.once('close', () => this.#closed());
    return webSocket;
  }

  /** In order, and no more than the server reads. */
  #sendWaiting(): void {
    const webSocket = this.#webSocket;
    if (!webSocket || webSocket.readyState !== webSocket.OPEN) {
      for (const { settle } of this.#outgoing.splice(0)) settle(new Error('The WebSocket is not open'));
      return;
    }
    while (webSocket.bufferedAmount <= HIGH_WATER_BYTES) {
      const next = this.#outgoing.shift();
      if (!next) return;
      webSocket.send(next.text, (error) => {
        next.settle(error);
        this.#sendWaiting();
      });
    }
  }

  /** One bad frame is reported and passed over. */
  #receive(data: RawData, isBinary: boolean): void {
    try {
      if (isBinary) throw new Error('The server sent a binary frame');
      const message: unknown = JSON.parse(data.toString());
      for (const one of Array.isArray(message) ? message : [message]) {
        if (!isMessage(one)) throw new Error('The server sent something that is no JSON-RPC message');
        this.onmessage?.(one);
      }
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  async #close(): Promise<void> {
    const webSocket = this.#webSocket;
    if (!webSocket || webSocket.readyState === webSocket.CLOSED) return this.#closed();
    const closed = new Promise((resolve) => webSocket.once('close', resolve));
    webSocket.close(1000);
    if (await within(CLOSING_MS, closed)) return;
    webSocket.terminate();
    await closed;
  }

  #closed(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.onclose?.();
  }
}

const isMessage = (value: unknown): value is JsonRpcMessage & Record<string, unknown> =>
  isObject(value) && value.jsonrpc === '2.0';
