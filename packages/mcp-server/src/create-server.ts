import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Configuration, createConfiguration } from '@automatosx/config-domain';
import { STATELESS_VERSIONS, ToolError } from '@automatosx/contracts';
import { mcpRuntimePolicy } from '@automatosx/guard';
import { createCache, failure, layers, toAnswer } from '@automatosx/mcp-runtime';
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
import { createRedactor } from '@automatosx/trace-domain';
import { createCatalog } from './catalog.js';
import { createHousekeeping } from './housekeeping.js';
import { createMetrics, watchProcess } from './metrics.js';
import { ownPrompts } from './prompts/index.js';
import { createAdmissions } from './protocol/admission.js';
import { connectionAudience, createAnnouncer } from './protocol/announcer.js';
import { createConnection } from './protocol/connection.js';
import { createIdentity } from './protocol/identity.js';
import { serverInfo } from './protocol/method.js';
import { createMethods } from './protocol/methods.js';
import { createRequestStates } from './protocol/request-state.js';
import { ownResources } from './resources/index.js';
import { policyShelf } from './resources/policies.js';
import { resourceWatch } from './resources/resource-watch.js';
import { shelvesWith } from './resources/shelf.js';
import type { Server, ServerOptions } from './server.js';
import { createTasks } from './tasks/create-tasks.js';
import { configTools, memoryTools, selectTools, sessionTools, traceTools } from './tools/index.js';
import type { TraceRecorder } from './trace-wrapper.js';
import { createArtifactStore } from './utils/artifact-store.js';
import { outputLayer } from './validation.js';
import { createWorkspace } from './workspace.js';

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
  const identity = createIdentity(
    () => serverInfo(services, STATELESS_VERSIONS[0]),
    () => config().server,
  );
  const requestStates = createRequestStates({ key: signingKey(database, 'request-state'), now });
  const admission = createAdmissions();

  const newWorkspace = () =>
    createWorkspace({
      folder: options.workspace,
      isFixed: options.isWorkspaceFixed,
      onChange: (folder) => configuration.useProject(folder),
    });
  const fixed = newWorkspace();

  watchProcess(metrics, { inFlight: admission.calls.size, lost });
  const server: Server = {
    catalog,
    metrics,
    config,
    problem: () =>
      changes.stamp(['memory']).then(
        () => undefined,
        (error: unknown) => ToolError.from(error).message,
      ),
    // Field by field: with `...peer` V8 leaves its fast path, and in the stateless era every request is a connection.
    connect: (peer) => {
      const workspace = options.isWorkspaceFixed ? fixed : newWorkspace();
      return createConnection({
        principal: peer.principal,
        isLocal: peer.isLocal,
        send: peer.send,
        isFull: peer.isFull,
        onShutdown: peer.onShutdown,
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
