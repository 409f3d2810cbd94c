import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Configuration, createConfiguration } from '@automatosx/config-domain';
import { STATELESS_VERSIONS, ToolError } from '@automatosx/contracts';
import type { Config } from '@automatosx/contracts/config';
import { mcpRuntimePolicy } from '@automatosx/guard';
import { createCache, failure, layers, type Tool, toAnswer } from '@automatosx/mcp-runtime';
import {
  configFiles,
  openDatabase,
  sqliteArtifactStore,
  sqliteChanges,
  sqliteIdempotencyStore,
  sqliteMemoryStore,
  sqliteSessionStore,
  sqliteTraceStore,
} from '@automatosx/storage';
import { createRedactor, type Redactor } from '@automatosx/trace-domain';
import { type Catalog, createCatalog } from './catalog.js';
import { createHousekeeping } from './housekeeping.js';
import type { Log } from './log.js';
import { type Connection, createConnection } from './protocol/connection.js';
import { createMethods, serverInfo } from './protocol/methods.js';
import { configTools, memoryTools, selectTools, sessionTools, traceTools } from './tools/index.js';
import type { TraceRecorder } from './trace-wrapper.js';
import { createArtifactStore } from './utils/artifact-store.js';
import { outputLayer } from './validation.js';
import { createWorkspace } from './workspace.js';

export interface ServerOptions {
  /** Where data is kept. */
  readonly home: string;
  readonly workspace: string;
  /** True if the user named the workspace; else a client may tell its own. */
  readonly isWorkspaceFixed: boolean;
  /** Stands in for the global configuration file. */
  readonly configFile?: string | undefined;
  /** Where the user named it: a flag, or a variable of the environment. */
  readonly configSource?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `all`, `core`, or names with commas between them. */
  readonly toolSelection: string;
  readonly version: string;
  readonly log: Log;
  /** Hears how secrets are told, at first and when the configuration changes: logs must not show them either. */
  readonly onRedactor?: (redactor: Redactor) => void;
  /** Tests make an output that breaks its schema a failure. */
  readonly isStrict?: boolean;
  readonly now?: () => number;
  /** Tools beside our own. */
  readonly extraTools?: readonly Tool[];
}

/** A client's side of a connection: who it is and how to reach it. */
export interface Peer {
  readonly principal: string;
  readonly isLocal: boolean;
  readonly send: (message: string) => void;
  readonly onShutdown: () => void;
}

export interface Server {
  readonly catalog: Catalog;
  config(): Config;
  connect(peer: Peer): Connection;
  /** Opens the data and mends what an earlier process left behind. Calls work without it, only later. */
  start(): Promise<void>;
  /** Removes what has expired now instead of within a minute. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** The one place where everything is put together. */
export function createServer(options: ServerOptions): Server {
  const { home, environment, log, now = Date.now, version } = options;
  const lost = { traces: 0, outputs: 0 };

  const database = openDatabase({
    file: join(home, 'automatosx.db'),
    synchronous: () => config().storage.synchronous,
    log: (message, error) => log('error', message, { error }),
  });
  const configuration = createConfiguration({
    files: configFiles({
      globalFile: options.configFile ?? join(home, 'config.json'),
      projectFolder: options.workspace,
      exclusive: database.write,
    }),
    environment,
    redact: (value) => redactor.value(value),
    log,
  });
  const config = () => configuration.current();
  let redactor = createRedactor(config().trace.redact);
  options.onRedactor?.(redactor);
  configuration.onChange(({ trace }) => {
    redactor = createRedactor(trace.redact);
    options.onRedactor?.(redactor);
  });
  if (options.configFile !== undefined) mustBeUsable(configuration, options);

  const memory = sqliteMemoryStore(database, now);
  const sessions = sqliteSessionStore(database);
  const traces = sqliteTraceStore(database, now);
  const idempotency = sqliteIdempotencyStore(database, now);
  const cache = createCache({ config: () => config().cache, now });
  const artifacts = createArtifactStore(sqliteArtifactStore(database, now), cache);
  const housekeeping = createHousekeeping({ config, now, memory, traces, idempotency, artifacts, cache, log });

  const recorder: TraceRecorder = {
    store: traces,
    redactor: () => redactor,
    now,
    onLost: (tool, error) => log('error', 'A trace could not be kept', { tool, error, lost: ++lost.traces }),
    toFailure: (call, error) => toAnswer(failure(call, ToolError.from(error))),
  };
  const catalog = createCatalog({
    tools: selectTools(
      [
        ...memoryTools(memory, now),
        ...sessionTools({ sessions, now, newId: randomUUID }),
        ...traceTools(traces),
        ...configTools(configuration),
        ...(options.extraTools ?? []),
      ],
      options.toolSelection,
    ),
    layers: layers({
      config,
      cache,
      changes: sqliteChanges(database),
      idempotency,
      artifacts,
      ready: database.ready,
      policy: mcpRuntimePolicy,
      output: outputLayer({
        isStrict: options.isStrict ?? false,
        onInvalid: (tool, errors) =>
          log('error', 'An output breaks its schema', { tool, errors, count: ++lost.outputs }),
      }),
      redact: (value) => redactor.value(value),
      log: (message, details) => log('error', message, details),
    }),
    recorder,
  });

  const services = { catalog, artifacts, config, version };
  const methods = createMethods(services);
  const stamp = () => {
    const info = serverInfo(services, STATELESS_VERSIONS[0]);
    return `"resultType":"complete","_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': info })}`;
  };

  return {
    catalog,
    config,
    connect: (peer) => {
      const workspace = createWorkspace({
        folder: options.workspace,
        isFixed: options.isWorkspaceFixed,
        onChange: (folder) => configuration.useProject(folder),
      });
      const { current, clientReady } = workspace;
      return createConnection({ ...peer, methods, stamp, log, workspace: current, onClientReady: clientReady });
    },
    start: () => housekeeping.start(),
    sweep: () => housekeeping.sweep(),
    close: async () => {
      housekeeping.stop();
      configuration.close();
      await database.close();
    },
  };
}

/** A file that the user named is used or refused, never passed over. */
function mustBeUsable(configuration: Configuration, { configFile, configSource = '--config' }: ServerOptions): void {
  const [source] = configuration.show('global').sources;
  if (source?.exists === false) throw new Error(`${configSource}: there is no file ${configFile}`);
  if (source?.error !== undefined) throw new Error(`${configSource}: ${configFile}: ${source.error}`);
}
