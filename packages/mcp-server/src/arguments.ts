import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '@automatosx/contracts';
import { LOG_LEVELS, type LogLevel } from './log.js';

export const HELP = `automatosx-mcp: an MCP server with memory, sessions, traces and configuration that last.

Usage: automatosx-mcp [options]

  --transport stdio     how clients reach it (the only one there is)
  --home DIR            where data is kept (default: ~/.automatosx)
  --workspace DIR       the project to work in (default: the client's first root, else the current folder)
  --config FILE         configuration file to use instead of the one in the data folder
  --tools all|core|a,b  which tools to offer (default: all)
  --log-level LEVEL     silent, error, warn, info or debug, on stderr (default: warn)
  --version             print the version
  --help                print this

Environment: AUTOMATOSX_HOME, AUTOMATOSX_CONFIG, AUTOMATOSX_LOG stand in for --home, --config, --log-level.

Example, as a client's configuration starts it:
  {"mcpServers": {"automatosx": {"command": "npx", "args": ["-y", "@automatosx/mcp-server"]}}}
`;

export interface Arguments {
  readonly home: string;
  readonly workspace: string;
  readonly isWorkspaceFixed: boolean;
  readonly configFile?: string | undefined;
  readonly toolSelection: string;
  readonly logLevel: LogLevel;
  readonly shows?: 'help' | 'version' | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws with a sentence for the user where the command line makes no sense. */
export function parseArguments(words: readonly string[], environment: Environment): Arguments {
  const values = parse(words);
  const shows = values.help ? 'help' : values.version ? 'version' : undefined;
  if (shows === undefined) requireServable(values.transport, environment);
  const configFile = values.config ?? (environment.AUTOMATOSX_CONFIG || undefined);
  return {
    home: resolve(values.home ?? (environment.AUTOMATOSX_HOME || join(homedir(), '.automatosx'))),
    workspace: resolve(values.workspace ?? '.'),
    isWorkspaceFixed: values.workspace !== undefined,
    configFile: configFile === undefined ? undefined : resolve(configFile),
    toolSelection: values.tools,
    logLevel: shows ? 'warn' : logLevelOf(values['log-level'] ?? (environment.AUTOMATOSX_LOG || 'warn')),
    shows,
  };
}

const OPTIONS = {
  transport: { type: 'string', default: 'stdio' },
  home: { type: 'string' },
  workspace: { type: 'string' },
  config: { type: 'string' },
  tools: { type: 'string', default: 'all' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

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

function requireServable(transport: string, environment: Environment): void {
  if (transport !== 'stdio') throw new Error(`--transport: there is no ${transport}; stdio is the only one`);
  if (environment.AUTOMATOSX_DATABASE_URL) {
    throw new Error('AUTOMATOSX_DATABASE_URL: other databases are not supported yet; unset it to use the embedded one');
  }
}

function logLevelOf(name: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === name);
  if (level === undefined) throw new Error(`--log-level: ${name} is none of ${LOG_LEVELS.join(', ')}`);
  return level;
}
