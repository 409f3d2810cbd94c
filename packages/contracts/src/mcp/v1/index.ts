export type { CacheGetResult, CacheSetOptions, MCPCacheConfig, MCPCacheEntry, MCPCacheStats } from './cache/schema.js';
export {
  CacheGetResultSchema,
  CacheSetOptionsSchema,
  MCPCacheConfigSchema,
  MCPCacheEntrySchema,
  MCPCacheStatsSchema,
} from './cache/schema.js';
export type { InputOf, OutputOf, ToolContract } from './contract.js';
export { defineContract } from './contract.js';
export type { MCPRequestLimits, ValidationError, ValidationResult } from './limits/schema.js';
export { MCPRequestLimitsSchema, ValidationErrorSchema, ValidationResultSchema } from './limits/schema.js';
export { nearest } from './nearest.js';
export type { Listed, Page } from './page.js';
export { CURSOR_AFTER, decodeCursor, encodeCursor } from './page.js';
export type { ErrorCode, LayerCode, ToolCode, ToolErrorOptions } from './response/errors.js';
export { ERROR_CODES, isRetryable, LAYER_CODES, TOOL_CODES, ToolError } from './response/errors.js';
export type {
  MCPErrorCode,
  MCPResponseEnvelope,
  MCPResponseLimits,
  MCPResponseMetadata,
  MCPStructuredError,
} from './response/schema.js';
export {
  MCPErrorCodeSchema,
  MCPListResponseSchema,
  MCPResponseEnvelopeSchema,
  MCPResponseLimitsSchema,
  MCPResponseMetadataSchema,
  MCPStructuredErrorSchema,
} from './response/schema.js';
export type { HandshakeVersion, MCPServerConfig, ProtocolVersion, StatelessVersion } from './schema.js';
export { HANDSHAKE_VERSIONS, MCPServerConfigSchema, META, STATELESS_VERSIONS } from './schema.js';
export type { MCPTimeoutConfig, TimeoutResult, ToolCategory } from './timeout/schema.js';
export { MCPTimeoutConfigSchema, TimeoutResultSchema, ToolCategorySchema } from './timeout/schema.js';
export type { ToolDefinition } from './tool-definition.js';
export { toJsonSchema, toToolDefinition } from './tool-definition.js';
export {
  ConfigGetInputSchema,
  ConfigGetOutputSchema,
  ConfigSetInputSchema,
  ConfigSetOutputSchema,
  ConfigShowInputSchema,
  ConfigShowOutputSchema,
  configGet,
  configSet,
  configShow,
} from './tools/config.js';
export { TOOL_CATEGORIES, TOOL_CONTRACTS } from './tools/index.js';
export {
  MAX_VALUE_BYTES,
  MemoryBulkDeleteInputSchema,
  MemoryBulkDeleteOutputSchema,
  MemoryDeleteInputSchema,
  MemoryDeleteOutputSchema,
  MemoryListInputSchema,
  MemoryListOutputSchema,
  MemoryRetrieveInputSchema,
  MemoryRetrieveOutputSchema,
  MemorySearchInputSchema,
  MemorySearchOutputSchema,
  MemoryStoreInputSchema,
  MemoryStoreOutputSchema,
  MemoryToolErrorCode,
  memoryBulkDelete,
  memoryDelete,
  memoryList,
  memoryRetrieve,
  memorySearch,
  memoryStore,
} from './tools/memory.js';
export {
  SESSION_ROLES,
  SessionCompleteInputSchema,
  SessionCompleteOutputSchema,
  SessionCreateInputSchema,
  SessionCreateOutputSchema,
  SessionFailInputSchema,
  SessionFailOutputSchema,
  SessionJoinInputSchema,
  SessionJoinOutputSchema,
  SessionLeaveInputSchema,
  SessionLeaveOutputSchema,
  SessionListInputSchema,
  SessionListOutputSchema,
  SessionStatusInputSchema,
  SessionStatusOutputSchema,
  sessionComplete,
  sessionCreate,
  sessionFail,
  sessionJoin,
  sessionLeave,
  sessionList,
  sessionStatus,
} from './tools/session.js';
export {
  TraceAnalyzeInputSchema,
  TraceAnalyzeOutputSchema,
  TraceGetInputSchema,
  TraceGetOutputSchema,
  TraceListInputSchema,
  TraceListOutputSchema,
  traceAnalyze,
  traceGet,
  traceList,
} from './tools/trace.js';
export type { ToolTraceEvent, TraceEvent } from './trace/tool-trace.js';
export { ToolTraceEventSchema, TRACE_EVENT_TYPES, TraceEventSchema } from './trace/tool-trace.js';
