import type { ToolContract } from '../contract.js';
import type { ToolCategory } from '../timeout/schema.js';
import { configGet, configSet, configShow } from './config.js';
import { memoryBulkDelete, memoryDelete, memoryList, memoryRetrieve, memorySearch, memoryStore } from './memory.js';
import {
  sessionComplete,
  sessionCreate,
  sessionFail,
  sessionJoin,
  sessionLeave,
  sessionList,
  sessionStatus,
} from './session.js';
import { traceAnalyze, traceGet, traceList } from './trace.js';

/** Every tool of our own. */
export const TOOL_CONTRACTS: readonly ToolContract[] = [
  memoryStore,
  memoryRetrieve,
  memorySearch,
  memoryList,
  memoryDelete,
  memoryBulkDelete,
  sessionCreate,
  sessionStatus,
  sessionComplete,
  sessionList,
  sessionJoin,
  sessionLeave,
  sessionFail,
  traceList,
  traceGet,
  traceAnalyze,
  configGet,
  configSet,
  configShow,
];

/** Each tool's category, read off its contract. */
export const TOOL_CATEGORIES: Readonly<Record<string, ToolCategory>> = Object.fromEntries(
  TOOL_CONTRACTS.map(({ name, category }) => [name, category]),
);
