export type { Cache } from './cache/index.js';
export { createCache } from './cache/index.js';
export type { Cancellation } from './cancellation.js';
export { createCancellation } from './cancellation.js';
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
} from './ports.js';
export { durationOf, failure, success, toAnswer, truncate } from './response/index.js';
export { timeoutFor } from './timeout/index.js';
export type {
  CallContext,
  CallFacts,
  CallStep,
  Handler,
  Middleware,
  Progress,
  Tool,
  ToolAnswer,
  ToolCall,
  ToolContext,
} from './types.js';
export { implement } from './types.js';
export { arrayLimitFor, checkRequest } from './validation/index.js';
