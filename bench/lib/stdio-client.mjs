import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { referencePath, SERVER, temporaryFolder } from './paths.mjs';

const NEWLINE = 0x0a;

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** `params` is JSON text, so that a loop can send the same many times without writing it again. */
export const requestLine = (id, method, params) =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`;

export const INITIALIZED_LINE = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

export function countLines(chunk) {
  let lines = 0;
  for (let index = chunk.indexOf(NEWLINE); index !== -1; index = chunk.indexOf(NEWLINE, index + 1)) lines += 1;
  return lines;
}

/**
 * A server as a process, and the other end of its stdin and stdout. It does next to nothing with the bytes: what is
 * measured is the server, on a machine where client and server share two cores.
 */
export class StdioClient {
  #child;
  #nextId = 1;

  constructor(words) {
    this.#child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    running.add(this.#child);
    this.#child.once('exit', () => running.delete(this.#child));
    this.#child.stdin.on('error', () => {}); // It has ended; whoever waits for an answer hears of that.
  }

  get pid() {
    return this.#child.pid;
  }

  write(text) {
    this.#child.stdin.write(text);
  }

  /** Gives every chunk of answers to `take` until it returns true. Rejects if `take` throws or the server ends before. */
  receive(take) {
    const { stdout } = this.#child;
    return new Promise((resolve, reject) => {
      const settle = (outcome, value) => {
        stdout.off('data', onChunk);
        this.#child.off('exit', onEnd);
        outcome(value);
      };
      const onEnd = (code, signal) =>
        settle(reject, new Error(`The server ended (${signal ?? code}) before it had answered`));
      const onChunk = (chunk) => {
        try {
          if (take(chunk)) settle(resolve);
        } catch (error) {
          settle(reject, error);
        }
      };
      stdout.on('data', onChunk);
      this.#child.once('exit', onEnd);
    });
  }

  /** One request while nothing else is under way. */
  async request(method, params) {
    const chunks = [];
    this.write(requestLine(this.#nextId++, method, JSON.stringify(params)));
    await this.receive((chunk) => chunks.push(chunk) > 0 && countLines(chunk) > 0);
    const { result, error } = JSON.parse(Buffer.concat(chunks).toString());
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The data that a tool of ours answers with. */
  async call(name, input) {
    const { structuredContent: envelope } = await this.request('tools/call', { name, arguments: input });
    if (!envelope.success) throw new Error(`${name}: ${envelope.error.message}`);
    return envelope.data;
  }

  async open() {
    await this.request('initialize', INITIALIZE);
    this.write(INITIALIZED_LINE);
    return this;
  }

  /** Ends it with the signal and says how many milliseconds that took. */
  async stop(signal = 'SIGTERM') {
    const startedAt = performance.now();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal);
      await once(this.#child, 'exit');
    }
    return performance.now() - startedAt;
  }
}

export const serverWords = (home) => [SERVER, '--home', home, '--workspace', home];

/** Our server, ready for calls, on its own or on the given data folder. */
export const startServer = (home = temporaryFolder('home')) => new StdioClient(serverWords(home)).open();

export const startReference = (name) => new StdioClient([referencePath(name)]).open();
