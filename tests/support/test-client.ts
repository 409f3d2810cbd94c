import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Envelope, Message } from './message.js';
import { checkMessage } from './oracle.js';
import { BIN, FIXTURE, NODE, temporaryFolder } from './paths.js';

export type Version = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

export interface TestClientOptions {
  readonly home?: string;
  readonly workspace?: string | null;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `bin` is the product, `fixture` the product with tools made for testing. */
  readonly program?: 'bin' | 'fixture';
  /** The version to open with; null opens nothing. */
  readonly version?: Version | null;
  readonly capabilities?: Record<string, unknown>;
  readonly nodeArgs?: readonly string[];
  readonly isStrict?: boolean;
  /** The user that the server runs as, where the tests run as root. */
  readonly uid?: number;
}

/** A client at the level of messages, of a server that runs as a process of its own. */
export class TestClient {
  readonly messages: Message[] = [];
  readonly home: string;
  readonly process: ChildProcessWithoutNullStreams;
  stderr = '';
  #buffer = '';
  #nextId = 1;
  readonly #asked = new Map<string | number, string>();
  readonly #waiting: { matches: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  readonly #version: Version | null;

  constructor(options: TestClientOptions = {}) {
    const { program = 'bin', args = [], env = {}, isStrict = true } = options;
    this.home = options.home ?? temporaryFolder();
    this.#version = options.version === undefined ? '2025-11-25' : options.version;
    // A home may be yet to be made; a workspace has to be there.
    const folder = options.workspace ?? (existsSync(this.home) ? this.home : temporaryFolder());
    const workspace = options.workspace === null ? [] : ['--workspace', folder];
    this.process = spawn(
      NODE,
      [...(options.nodeArgs ?? []), program === 'bin' ? BIN : FIXTURE, '--home', this.home, ...workspace, ...args],
      {
        ...(options.uid !== undefined && { uid: options.uid }),
        env: {
          PATH: process.env.PATH ?? '',
          HOME: this.home,
          ...(isStrict && { AUTOMATOSX_STRICT_OUTPUTS: '1' }),
          ...env,
        },
      },
    );
    this.process.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    this.process.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    this.process.stdin.on('error', () => {});
  }

  /** Starts a server and opens the connection. */
  static async start(options: TestClientOptions = {}): Promise<TestClient> {
    const client = new TestClient(options);
    const version = options.version === undefined ? '2025-11-25' : options.version;
    if (version !== null && version !== '2026-07-28') {
      const opening = client.request('initialize', {
        protocolVersion: version,
        capabilities: options.capabilities ?? {},
        clientInfo: { name: 'test', version: '1' },
      });
      const isOpen = await Promise.race([opening.then(() => true), client.exited().then(() => false)]);
      if (!isOpen) throw new Error(`The server ended before it answered: ${client.stderr}`);
      client.notify('notifications/initialized');
    }
    return client;
  }

  #read(chunk: string): void {
    const lines = (this.#buffer + chunk).split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = JSON.parse(line) as Message | Message[];
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.#receive(message);
    }
  }

  #receive(message: Message): void {
    const isAnswer = message.method === undefined && message.id !== undefined && message.id !== null;
    checkMessage(message, isAnswer ? this.#asked.get(message.id as string | number) : undefined);
    this.messages.push(message);
    const index = this.#waiting.findIndex(({ matches }) => matches(message));
    if (index !== -1) this.#waiting.splice(index, 1)[0]?.resolve(message);
  }

  write(text: string): void {
    this.process.stdin.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message that matches, or one that has come already. */
  next(matches: (message: Message) => boolean): Promise<Message> {
    const found = this.messages.find(matches);
    return found ? Promise.resolve(found) : new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  answerTo(id: string | number | null): Promise<Message> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  request(
    method: string,
    params: Record<string, unknown> = {},
    id: string | number = this.#nextId++,
  ): Promise<Message> {
    this.#asked.set(id, method);
    this.send({ jsonrpc: '2.0', id, method, params: this.#stamped(params) });
    return this.answerTo(id);
  }

  #stamped(params: Record<string, unknown>): Record<string, unknown> {
    if (this.#version !== '2026-07-28') return params;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(params._meta as object),
    };
    return { ...params, _meta: meta };
  }

  notify(method: string, params?: Record<string, unknown>): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Calls a tool and gives its envelope. */
  async call(name: string, input: Record<string, unknown> = {}, meta?: Record<string, unknown>): Promise<Envelope> {
    const { result, error } = await this.request('tools/call', {
      name,
      arguments: input,
      ...(meta && { _meta: meta }),
    });
    if (error) throw new Error(`${error.code} ${error.message}`);
    return JSON.parse(result.content[0].text);
  }

  /** Calls a tool that is expected to succeed, and gives its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async data(name: string, input: Record<string, unknown> = {}, meta?: Record<string, unknown>): Promise<any> {
    const envelope = await this.call(name, input, meta);
    if (!envelope.success) throw new Error(`${name} failed: ${JSON.stringify(envelope.error)}`);
    return envelope.data;
  }

  /** Ends the input, as a client does that is done, and gives the exit code. */
  async end(): Promise<number | null> {
    this.process.stdin.end();
    return this.exited();
  }

  async exited(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'exit');
    return this.process.exitCode;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.process.kill(signal);
    await this.exited();
  }
}
