import { ERROR_CODES, LAYER_CODES } from '@automatosx/contracts';
import { expect, test } from 'vitest';
import { adviceFor, overrideOf } from './advice.js';

test.each([
  [['TOOL_TIMEOUT'], 'timeouts.toolOverrides.memory_list'],
  [['INVALID_INPUT'], 'inputSchema of memory_list'],
  [['ARRAY_TOO_LARGE'], 'limits.request.toolArrayLimits.memory_list'],
  [['RATE_LIMITED'], 'rateLimits'],
  [['MEMORY_PRESSURE'], 'cache.maxSizeBytes'],
  [['INVALID_CURSOR', 'INVALID_FORMAT'], 'nextCursor'],
  [['MODEL_UNAVAILABLE', 'SERVICE_UNAVAILABLE'], 'models.providers'],
  [['WORKFLOW_STEP_FAILED', 'OPERATION_FAILED'], 'onError'],
  [['SOMETHING_NEW', 'TOOL_TIMEOUT'], 'timeouts.toolOverrides'],
  [['constructor'], 'trace_get'],
  [[undefined, undefined], 'trace_get'],
])('the advice on %j names the way out', (codes, way) => {
  expect(adviceFor(codes, 'memory_list')).toContain(way);
});

test('every code of ours has advice of its own; OPERATION_FAILED can be anything', () => {
  const general = adviceFor([], 'x');
  const codes = [...Object.keys(ERROR_CODES), ...Object.keys(LAYER_CODES)];
  expect(codes.filter((code) => adviceFor([code], 'x') === general)).toEqual(['OPERATION_FAILED']);
});

test('names with dots stand in brackets, as config_set takes them', () => {
  expect(overrideOf('memory_list')).toBe('timeouts.toolOverrides.memory_list');
  expect(overrideOf('a.b')).toBe('timeouts.toolOverrides["a.b"]');
});
