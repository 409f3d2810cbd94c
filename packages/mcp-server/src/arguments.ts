import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
  const { values } = parseArgs({
    args: [...words],
    options: {
      transport: { type: 'string', default: 'stdio' },
      home: { type: 'string' },
      workspace: { type: 'string' },
      config: { type: 'string' },
      tools: { type: 'string', default: 'all' },
      'log-level': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  if (values.transport !== 'stdio')
    throw new Error(`--transport: there is no ${values.transport}; stdio is the only one`);
  if (environment.AUTOMATOSX_DATABASE_URL) {
    throw new Error('AUTOMATOSX_DATABASE_URL: other databases are not supported yet; unset it to use the embedded one');
  }
  const configFile = values.config ?? environment.AUTOMATOSX_CONFIG;
  return {
    home: resolve(values.home ?? (environment.AUTOMATOSX_HOME || join(homedir(), '.automatosx'))),
    workspace: resolve(values.workspace ?? '.'),
    isWorkspaceFixed: values.workspace !== undefined,
    configFile: configFile && resolve(configFile),
    toolSelection: values.tools,
    logLevel: logLevelOf(values['log-level'] ?? (environment.AUTOMATOSX_LOG || 'warn')),
    shows: values.help ? 'help' : values.version ? 'version' : undefined,
  };
}

function logLevelOf(name: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === name);
  if (level === undefined) throw new Error(`--log-level: ${name} is none of ${LOG_LEVELS.join(', ')}`);
  return level;
}
