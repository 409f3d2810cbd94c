import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '@automatosx/contracts';
import { LOG_LEVELS, type LogLevel } from './log.js';

export const HELP = `automatosx-mcp: an MCP server with memory, sessions, traces and configuration that last.

Usage: automatosx-mcp [options]

  --transport stdio     one client, on stdin and stdout (the default)
  --transport http      any number of clients: MCP at /mcp, /ws and /sse
  --port NUMBER         where HTTP listens (default: 7337; 0 takes any that is free)
  --host ADDRESS        on which address (default: 127.0.0.1; others need a token, see below)
  --home DIR            where data is kept (default: ~/.automatosx)
  --workspace DIR       the project to work in (default: on stdio the client's first root, else the current folder)
  --config FILE         configuration file to use instead of the one in the data folder
  --tools all|core|a,b  which tools to offer (default: all)
  --log-level LEVEL     silent, error, warn, info or debug, on stderr (default: warn)
  --version             print the version
  --help                print this

Environment: AUTOMATOSX_HOME, AUTOMATOSX_CONFIG, AUTOMATOSX_LOG stand in for --home, --config, --log-level.
AUTOMATOSX_TOKEN is the bearer token that HTTP clients must send; without one only this machine gets in.

Example, as a client's configuration starts it:
  {"mcpServers": {"automatosx": {"command": "npx", "args": ["-y", "@automatosx/mcp-server"]}}}
`;

export interface Arguments {
  readonly home: string;
  readonly workspace: string;
  readonly isWorkspaceFixed: boolean;
  readonly configFile?: string | undefined;
  /** Who named the file, for errors that speak of it. */
  readonly configSource?: '--config' | 'AUTOMATOSX_CONFIG' | undefined;
  readonly toolSelection: string;
  readonly logLevel: LogLevel;
  /** Absent for stdio. */
  readonly http?: { readonly host: string; readonly port: number } | undefined;
  readonly shows?: 'help' | 'version' | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws with a sentence for the user where the command line makes no sense. */
export function parseArguments(words: readonly string[], environment: Environment): Arguments {
  const values = parse(words);
  const shows = values.help ? 'help' : values.version ? 'version' : undefined;
  const home = given('home', values, environment);
  const config = given('config', values, environment);
  if (shows === undefined) {
    requireServable(values, environment);
    requireFolders(home, values.workspace);
  }
  return {
    home: resolve(home.value ?? join(homedir(), '.automatosx')),
    workspace: resolve(values.workspace ?? '.'),
    // Clients of HTTP may be on other machines: their folders are not ours.
    isWorkspaceFixed: values.workspace !== undefined || values.transport === 'http',
    configFile: config.value === undefined ? undefined : resolve(config.value),
    configSource: config.value === undefined ? undefined : config.source,
    toolSelection: values.tools,
    http: shows === undefined ? httpOf(values) : undefined,
    logLevel: shows ? 'warn' : logLevelOf(given('log-level', values, environment)),
    shows,
  };
}

const OPTIONS = {
  transport: { type: 'string', default: 'stdio' },
  port: { type: 'string' },
  host: { type: 'string' },
  home: { type: 'string' },
  workspace: { type: 'string' },
  config: { type: 'string' },
  tools: { type: 'string', default: 'all' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type Values = ReturnType<typeof parse>;

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS }).values;
  } catch (error) {
    // Node's first sentence says what is wrong; the rest is advice on positional arguments, which we do not take.
    const [problem = ''] = (error as Error).message.split(/\.\s/);
    const unknown = /^Unknown option '--([^']+)'/.exec(problem)?.[1];
    const hint = unknown === undefined ? undefined : nearest(unknown.slice(0, 100), Object.keys(OPTIONS));
    throw new Error(`${problem}${hint ? `; did you mean --${hint}?` : ''}; --help shows what there is`);
  }
}

/** A value and who gave it, which is what an error about it has to name. */
interface Given {
  readonly value: string | undefined;
  readonly source: string;
}

/** Variables that stand in for options. */
const VARIABLES = { home: 'AUTOMATOSX_HOME', config: 'AUTOMATOSX_CONFIG', 'log-level': 'AUTOMATOSX_LOG' } as const;

function given<Name extends keyof typeof VARIABLES>(name: Name, values: Values, environment: Environment) {
  const value = values[name];
  if (value !== undefined) return { value, source: `--${name}` as const };
  const source = VARIABLES[name];
  // A variable that is set to nothing counts as unset.
  return { value: environment[source] || undefined, source };
}

function requireServable(values: Values, environment: Environment): void {
  const empty = Object.entries(values).find(([, value]) => value === '');
  if (empty) throw new Error(`--${empty[0]}: the value is empty; --help shows what there is`);
  if (values.transport !== 'stdio' && values.transport !== 'http') {
    throw new Error(`--transport: there is no ${values.transport}; stdio and http are the ones there are`);
  }
  if (values.tools.split(',').some((name) => name.trim() === '')) {
    throw new Error('--tools: a name is empty; give all, core, or names with commas between them');
  }
  if (environment.AUTOMATOSX_DATABASE_URL) {
    throw new Error('AUTOMATOSX_DATABASE_URL: other databases are not supported yet; unset it to use the embedded one');
  }
}

const DEFAULT_PORT = '7337';

function httpOf({ transport, host, port }: Values): Arguments['http'] {
  if (transport !== 'http') {
    const name = host !== undefined ? 'host' : port !== undefined ? 'port' : undefined;
    if (name) throw new Error(`--${name} is for --transport http; stdio listens nowhere`);
    return undefined;
  }
  if (!/^\d{1,5}$/.test(port ?? DEFAULT_PORT) || Number(port) > 65_535) {
    throw new Error(`--port: ${port} is not a number from 0 to 65535`);
  }
  return { host: host ?? '127.0.0.1', port: Number(port ?? DEFAULT_PORT) };
}

/** The workspace has to be there. The home is made when it is needed, so only something else in its place is wrong. */
function requireFolders(home: Given, workspace: string | undefined): void {
  if (workspace !== undefined && kindOf(workspace) !== 'folder') {
    throw new Error(`--workspace: there is no folder ${resolve(workspace)}`);
  }
  if (home.value !== undefined && kindOf(home.value) === 'other') {
    throw new Error(`${home.source}: ${resolve(home.value)} is not a folder`);
  }
}

function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}

function logLevelOf({ value = 'warn', source }: Given): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) throw new Error(`${source}: ${value} is none of ${LOG_LEVELS.join(', ')}`);
  return level;
}
