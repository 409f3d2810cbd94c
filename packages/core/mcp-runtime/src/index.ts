export type { Cache } from './cache/index.js';
export { createCache } from './cache/index.js';
export type { Cancellation } from './cancellation.js';
export { createCancellation } from './cancellation.js';
export { hashOf } from './canonical.js';
export type { ClientPort, ClientRequest } from './client.js';
export { InputRequired, NO_CLIENT } from './client.js';
export type { LayerOptions } from './layers.js';
export { layers } from './layers.js';
export { compose, runTool } from './pipeline.js';
export type {
  ArtifactPart,
  ArtifactStore,
  ChangeSource,
  Claim,
  IdempotencyKey,
  IdempotencyStore,
  NewTask,
  Questions,
  TaskEnding,
  TaskNews,
  TaskRecord,
  TaskStatus,
  TaskStore,
} from './ports.js';
export { relay } from './relay.js';
export { durationOf, failure, success, toAnswer, truncate } from './response/index.js';
export { timeoutFor } from './timeout/index.js';
export type {
  CallContext,
  CallFacts,
  CallStep,
  ClientLog,
  ClientLogLevel,
  Handler,
  Middleware,
  Progress,
  RelayedDefinition,
  RelayedResult,
  Tool,
  ToolAnswer,
  ToolCall,
  ToolContext,
} from './types.js';
export { CLIENT_LOG_LEVELS, implement } from './types.js';
export { arrayLimitFor, checkRequest } from './validation/index.js';
