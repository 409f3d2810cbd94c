import type { GateResult, GuardGate, GuardPolicy } from '@automatosx/contracts/guard';

const PASSED: GateResult = { passed: true };

const memoryPressure: GuardGate = {
  id: 'memory-pressure-check',
  name: 'Memory pressure',
  description: 'Stops scans and executions while memory pressure is critical; reads go on uncached',
  check: ({ cacheStats, category }) => {
    if (cacheStats?.pressureLevel === 'high') return { passed: true, warning: 'Memory pressure is high' };
    if (cacheStats?.pressureLevel !== 'critical' || category === 'query' || category === 'mutation') return PASSED;
    return {
      passed: false,
      code: 'MEMORY_PRESSURE',
      reason: 'Memory pressure is critical',
      recommendation: 'Wait until the cache has made room, or raise cache.maxSizeBytes',
    };
  },
};

const requestSize: GuardGate = {
  id: 'request-size-check',
  name: 'Request size',
  description: 'Refuses oversized requests',
  check: ({ requestSizeBytes, limits }) => {
    if (requestSizeBytes === undefined || !limits || requestSizeBytes <= limits.maxRequestBytes) return PASSED;
    return {
      passed: false,
      code: 'INVALID_INPUT',
      reason: `The request has ${requestSizeBytes} bytes; at most ${limits.maxRequestBytes} are allowed`,
      recommendation: 'Send less at a time',
    };
  },
};

const arraySize: GuardGate = {
  id: 'array-size-check',
  name: 'Array size',
  description: 'Refuses requests with oversized arrays',
  check: ({ arraySizeViolations = [] }) => {
    if (arraySizeViolations.length === 0) return PASSED;
    return {
      passed: false,
      code: 'ARRAY_TOO_LARGE',
      reason: arraySizeViolations.map(({ message }) => message).join('; '),
      recommendation: 'Send fewer items at a time',
    };
  },
};

const timeoutAudit: GuardGate = {
  id: 'timeout-audit',
  name: 'Timeout audit',
  description: 'Notes calls that came close to their timeout',
  check: ({ toolName, durationMs, timeoutMs }) => {
    if (durationMs === undefined || timeoutMs === undefined || durationMs / timeoutMs <= 0.8) return PASSED;
    const ratio = `${((durationMs / timeoutMs) * 100).toFixed(1)}%`;
    return { passed: true, audit: { event: 'near_timeout', tool: toolName, durationMs, timeoutMs, ratio } };
  },
};

/** What guards every call of every session, whatever else is configured. */
export const mcpRuntimePolicy: GuardPolicy = {
  id: 'mcp-runtime-policy',
  name: 'MCP runtime governance',
  description: 'Keeps every call within the memory, sizes and times that the server can bear',
  gates: [memoryPressure, requestSize, arraySize, timeoutAudit],
};
