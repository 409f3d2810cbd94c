import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigSchema } from '@automatosx/contracts/config';
import { parseArguments } from '@automatosx/mcp-server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Block, Page } from './markdown.js';
import { BIN, NODE, ROOT, temporaryFolder } from './paths.js';
import { Examples } from './shown.js';
import { TestClient } from './test-client.js';

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** Where the pages say that the repository is. */
const REPOSITORY = '/path/to/automatosx';

const greeting = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } },
  },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'memory_store', arguments: { key: 'a', value: 1 } } },
];
const GREETING = greeting.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');

/** Runs what a client would run, as it would, and expects a server there. */
function expectServer([command, ...words]: readonly string[], home: string): void {
  const found = command === 'npx' ? published(words) : words.map((word) => word.replace(REPOSITORY, ROOT));
  if (command !== 'npx') expect(command).toBe('node');
  const { stdout, status } = spawnSync(NODE, found, { input: GREETING, encoding: 'utf8', env: { HOME: home } });
  const [, list, stored] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(status).toBe(0);
  expect(list.result.tools).toHaveLength(19);
  expect(stored.result.structuredContent).toMatchObject({ success: true });
}

type ConfiguredServer = { readonly command: string; readonly args: string[] } | { readonly url: string };

/** Where `npm start` serves; that clients find a server there is proved in e2e/real-clients.test.ts. */
function expectAddress(url: string | undefined): void {
  const { http } = parseArguments(['--transport', 'http'], {});
  expect(url).toBe(`http://${http?.host}:${http?.port}/mcp`);
}

/** What npx will run; that the package can be installed and serves is proved in e2e/package.test.ts. */
function published(words: readonly string[]): string[] {
  const { name, bin } = readJson('packages/mcp-server/package.json');
  expect(words).toEqual(['-y', name]);
  const [file] = Object.values(bin) as string[];
  return [join(ROOT, 'packages/mcp-server', file as string)];
}

type Runner = (block: Block) => void | Promise<void>;

/** Runs the examples of one page, from its top to its end, in a home of their own. */
export class PageRunner {
  readonly #page: Page;
  readonly #home = temporaryFolder('automatosx-docs');
  readonly #examples = new Examples();
  #client: TestClient | undefined;
  #calls = 0;
  /** What was answered or printed and has not been shown yet. */
  #unshown: { readonly what: unknown } | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  readonly #runners: Readonly<Record<string, Runner>> = {
    json: (block) => this.#json(JSON.parse(block.text)),
    toml: (block) => this.#toml(block.text),
    sh: (block) => {
      for (const command of block.text.trim().split('\n')) this.#command(command);
    },
    text: (block) => expect(`${this.#take()}`.trimEnd()).toBe(block.text.trimEnd()),
    tree: () => {}, // The folders are compared in docs.test.ts.
  };

  async run(block: Block): Promise<void> {
    const runner = this.#runners[block.language];
    if (!runner) throw new Error(`Nothing runs blocks of the language "${block.language}"`);
    await runner(block);
  }

  async end(): Promise<void> {
    await this.#client?.end();
    expect(this.#unshown, `An example of ${this.#page.path} has no answer`).toBeUndefined();
  }

  #take(): unknown {
    if (!this.#unshown) throw new Error('There is nothing before this that it could be the answer to');
    const { what } = this.#unshown;
    this.#unshown = undefined;
    return what;
  }

  async #connected(): Promise<TestClient> {
    const isOpened = this.#page.blocks.some(({ text }) => text.includes('"method": "initialize"'));
    this.#client ??= await TestClient.start({
      home: join(this.#home, 'conversation'),
      ...(isOpened && { version: null }),
    });
    return this.#client;
  }

  async #json(value: Record<string, unknown>): Promise<void> {
    if (value.jsonrpc === '2.0' && typeof value.method === 'string') await this.#message(value);
    else if ('arguments' in value) await this.#call(value);
    else if ('success' in value || value.jsonrpc === '2.0') {
      const answer = this.#take();
      expect(this.#examples.shown(answer, value)).toEqual(value);
    } else if ('mcpServers' in value || 'servers' in value) this.#clientConfiguration(value);
    else await this.#settings(value);
  }

  async #message({ id, method, params }: Record<string, unknown>): Promise<void> {
    const client = await this.#connected();
    if (id === undefined) return client.notify(method as string, params as Record<string, unknown>);
    const real = this.#examples.real(params as Record<string, unknown>);
    this.#ask(await client.request(method as string, real, id as string | number));
  }

  async #call(call: Record<string, unknown>): Promise<void> {
    const client = await this.#connected();
    // An id of its own: the page may use 1, 2, 3 for its requests.
    const { result } = await client.request('tools/call', this.#examples.real(call), `call-${++this.#calls}`);
    this.#ask(result.structuredContent);
  }

  #ask(answer: unknown): void {
    expect(this.#unshown, 'The example before this one has no answer').toBeUndefined();
    this.#unshown = { what: answer };
  }

  #clientConfiguration({ mcpServers, servers }: Record<string, unknown>): void {
    const entries = Object.entries((mcpServers ?? servers) as Record<string, ConfiguredServer>);
    for (const [name, server] of entries) {
      expect(name).toBe('automatosx');
      if ('url' in server) expectAddress(server.url);
      else expectServer([server.command, ...server.args], this.#home);
    }
  }

  /** A table and its fields, one per line, with values as JSON has them. */
  #toml(text: string): void {
    const [table, ...lines] = text.trim().split('\n');
    expect(table).toBe('[mcp_servers.automatosx]');
    const fields = Object.fromEntries(
      lines.map((line) => {
        const [, name, value] = /^(\w+) = (.+)$/.exec(line) as RegExpExecArray;
        return [name, JSON.parse(value as string)];
      }),
    );
    expect(Object.keys(fields)).toEqual(['command', 'args']);
    expectServer([fields.command, ...fields.args], this.#home);
  }

  /** A configuration: for the schema, for the schema that editors use, and for a server that starts with it. */
  async #settings(value: Record<string, unknown>): Promise<void> {
    expect(ConfigSchema.safeParse(value).error).toBeUndefined();
    const validate = new Ajv2020({ strict: false }).compile(readJson('docs/schemas/config.schema.json'));
    expect(validate(value) || validate.errors).toBe(true);
    if (typeof value.$schema === 'string') expect(existsSync(value.$schema.replace(REPOSITORY, ROOT))).toBe(true);

    const text = JSON.stringify(value);
    const file = join(temporaryFolder('automatosx-settings'), 'config.json');
    writeFileSync(file, text);
    const env = Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, 'set']));
    const client = await TestClient.start({ args: ['--config', file], env });
    const { config, sources } = await client.data('config_show', { scope: 'global' });
    expect(config).toEqual(value);
    expect(sources).toEqual([{ scope: 'global', file: 'config.json', exists: true }]);
    await client.end();
  }

  #command(line: string): void {
    const [program = '', ...words] = line.split(' ');
    const after = (name: string) => words.slice(words.indexOf(name) + 1).filter((word) => word !== '--');
    const options: ExecFileSyncOptions = {
      cwd: ROOT,
      input: '',
      env: { PATH: process.env.PATH ?? '', HOME: this.#home },
    };
    if (program === 'npm' || program === 'pnpm') expectScript(words);
    else if (['claude', 'gemini', 'codex'].includes(program)) {
      expect(words.slice(0, 2)).toEqual(['mcp', 'add']);
      if (words.includes('http')) expectAddress(after('automatosx')[0]);
      else expectServer(after('automatosx'), this.#home);
    } else if (program === 'node') this.#ask(execFileSync(NODE, words, options));
    else if (['sqlite3', 'cp', 'rm'].includes(program)) this.#onData(program, line);
    else throw new Error(`Nothing runs the command ${program}`);
  }

  /** Commands on the data folder, as a user has it who never said where it is. */
  #onData(program: string, line: string): void {
    // Only what lies in the home, which is a temporary one here, or beside it.
    expect(line).not.toMatch(/\s\/|\.\./);
    expectServer(['node', BIN], this.#home);
    if (program === 'sqlite3' && spawnSync('sqlite3', ['--version']).error) return; // Not on this machine.
    const folder = join(this.#home, 'elsewhere');
    mkdirSync(folder, { recursive: true });
    execFileSync('sh', ['-c', line], { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: this.#home } });
  }
}

/** `start`, `test`, `run docs`, `test -- tests/e2e/config.test.ts`: a script that there is, and files that there are. */
function expectScript(words: readonly string[]): void {
  const [name = '', ...rest] = words.filter((word) => word !== 'run' && word !== '--');
  const script: string | undefined = readJson('package.json').scripts[name];
  expect(script, `package.json has no script ${name}`).toBeDefined();
  const files = [...(script?.match(/\S+\.mjs/g) ?? []), ...rest];
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
}
