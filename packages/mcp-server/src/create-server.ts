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
  signingKey,
  sqliteArtifactStore,
  sqliteChanges,
  sqliteIdempotencyStore,
  sqliteMemoryStore,
  sqliteSessionStore,
  sqliteTaskStore,
  sqliteTraceStore,
} from '@automatosx/storage';
import { createRedactor, type Redactor } from '@automatosx/trace-domain';
import { type Catalog, createCatalog } from './catalog.js';
import { createHousekeeping } from './housekeeping.js';
import type { Log } from './log.js';
import { createMetrics, type Metrics, watchProcess } from './metrics.js';
import { ownPrompts } from './prompts/index.js';
import type { Prompt } from './prompts/prompt.js';
import { createAdmission } from './protocol/admission.js';
import { connectionAudience, createAnnouncer, type ListKind } from './protocol/announcer.js';
import { type Connection, createConnection } from './protocol/connection.js';
import { serverInfo } from './protocol/method.js';
import { createMethods } from './protocol/methods.js';
import { createRequestStates } from './protocol/request-state.js';
import { ownResources } from './resources/index.js';
import { policyShelf } from './resources/policies.js';
import type { ResourceSource } from './resources/resource.js';
import { resourceWatch } from './resources/resource-watch.js';
import { shelvesWith } from './resources/shelf.js';
import { createTasks } from './tasks/create-tasks.js';
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
  /** What is offered beside our own. */
  readonly extra?: Extra;
}

export interface Extra {
  readonly tools?: readonly Tool[];
  readonly resources?: readonly ResourceSource[];
  readonly prompts?: readonly Prompt[];
  /** Gets the server that these are offered by. */
  readonly onServer?: (server: Server) => void;
}

/** A client's side of a connection: who it is and how to reach it. */
export interface Peer {
  readonly principal: string;
  readonly isLocal: boolean;
  readonly send: (message: string) => void;
  /** True while the client does not read what it is sent, where the transport does not end that itself. */
  readonly isFull?: () => boolean;
  readonly onShutdown: () => void;
}

export interface Server {
  readonly catalog: Catalog;
  readonly metrics: Metrics;
  config(): Config;
  /** Why calls cannot be served now, in a sentence; undefined if they can. */
  problem(): Promise<string | undefined>;
  connect(peer: Peer): Connection;
  /** Tells all clients that one of the lists has changed. */
  announce(list: ListKind): void;
  /** Opens the data and mends what an earlier process left behind. Calls work without it, only later. */
  start(): Promise<void>;
  /** Removes what has expired now instead of within a minute. */
  sweep(): Promise<void>;
  /** Gives what runs without a connection the time that connections have, and interrupts it after that. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The one place where everything is put together. */
export function createServer(options: ServerOptions): Server {
  const { home, environment, log, now = Date.now, version } = options;
  const lost = { traces: 0, outputs: 0 };
  const metrics = createMetrics();

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
  const changes = sqliteChanges(database);
  const tasks = sqliteTaskStore(database, now);
  const cache = createCache({ config: () => config().cache, now });
  const artifacts = createArtifactStore(sqliteArtifactStore(database, now), cache);
  const housekeeping = createHousekeeping({ config, now, memory, traces, idempotency, artifacts, tasks, cache, log });

  const recorder: TraceRecorder = {
    store: traces,
    redactor: () => redactor,
    now,
    onEnd: (tool, envelope) =>
      metrics.count(tool, {
        outcome: envelope.success ? 'success' : envelope.error.code,
        durationMs: envelope.metadata.durationMs,
      }),
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
        ...(options.extra?.tools ?? []),
      ],
      options.toolSelection,
    ),
    layers: layers({
      config,
      cache,
      changes,
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

  const shelves = shelvesWith({ policies: policyShelf([mcpRuntimePolicy]) });
  const known = { memory, sessions, traces, artifacts, shelves, changes };
  const resources = [...ownResources(known), ...(options.extra?.resources ?? [])];
  const prompts = [...ownPrompts(known), ...(options.extra?.prompts ?? [])];
  const announcer = createAnnouncer(resourceWatch(resources, database.version));
  catalog.onChange(() => announcer.listChanged('tools'));
  const longCalls = createTasks({ store: tasks, log });
  const services = { catalog, resources, prompts, announcer, tasks: longCalls, config, version };
  const methods = createMethods(services);
  const identity = () => ({ 'io.modelcontextprotocol/serverInfo': serverInfo(services, STATELESS_VERSIONS[0]) });
  const requestStates = createRequestStates({ key: signingKey(database, 'request-state'), now });
  const admission = createAdmission();

  watchProcess(metrics, { inFlight: admission.size, lost });
  const server: Server = {
    catalog,
    metrics,
    config,
    problem: () =>
      changes.stamp(['memory']).then(
        () => undefined,
        (error: unknown) => ToolError.from(error).message,
      ),
    connect: (peer) => {
      const workspace = createWorkspace({
        folder: options.workspace,
        isFixed: options.isWorkspaceFixed,
        onChange: (folder) => configuration.useProject(folder),
      });
      return createConnection({
        ...peer,
        methods,
        identity,
        requestStates,
        admission,
        log,
        workspace: workspace.current,
        onOpen: ({ subscriptions }) => announcer.join(connectionAudience(peer, subscriptions)),
        onClientReady: workspace.clientReady,
      });
    },
    announce: announcer.listChanged,
    start: () => housekeeping.start(),
    sweep: () => housekeeping.sweep(),
    drain: longCalls.stop,
    close: async () => {
      await longCalls.stop();
      housekeeping.stop();
      configuration.close();
      await announcer.close();
      await database.close();
    },
  };
  options.extra?.onServer?.(server);
  return server;
}

/** A file that the user named is used or refused, never passed over. */
function mustBeUsable(configuration: Configuration, { configFile, configSource = '--config' }: ServerOptions): void {
  const [source] = configuration.show('global').sources;
  if (source?.exists === false) throw new Error(`${configSource}: there is no file ${configFile}`);
  if (source?.error !== undefined) throw new Error(`${configSource}: ${configFile}: ${source.error}`);
}
