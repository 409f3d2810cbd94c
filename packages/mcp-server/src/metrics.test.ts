import { describe, expect, test } from 'vitest';
import { createMetrics, watchProcess } from './metrics.js';

const linesOf = (text: string, beginning: string) => text.split('\n').filter((line) => line.startsWith(beginning));

describe('calls', () => {
  test('are counted by tool and outcome', () => {
    const metrics = createMetrics();
    metrics.count('memory_store', { outcome: 'success', durationMs: 1 });
    metrics.count('memory_store', { outcome: 'success', durationMs: 1 });
    metrics.count('memory_store', { outcome: 'CONFLICT', durationMs: 1 });
    metrics.count('memory_list', { outcome: 'success', durationMs: 1 });
    expect(linesOf(metrics.text(), 'automatosx_tool_calls_total')).toEqual([
      'automatosx_tool_calls_total{tool="memory_store",outcome="success"} 2',
      'automatosx_tool_calls_total{tool="memory_store",outcome="CONFLICT"} 1',
      'automatosx_tool_calls_total{tool="memory_list",outcome="success"} 1',
    ]);
  });

  test('stand in every bucket that is as long as they took, or longer', () => {
    const metrics = createMetrics();
    for (const durationMs of [1, 2, 700, 3_600_000]) metrics.count('a', { outcome: 'success', durationMs });
    const buckets = linesOf(metrics.text(), 'automatosx_tool_call_seconds_bucket').map((line) =>
      line.replace(/^.*le="([^"]+)"} (\d+)$/, '$1: $2'),
    );
    expect(buckets).toEqual([
      '0.001: 1',
      '0.005: 2',
      '0.01: 2',
      '0.05: 2',
      '0.1: 2',
      '0.5: 2',
      '1: 3',
      '5: 3',
      '30: 3',
      '120: 3',
      '600: 3',
      '+Inf: 4',
    ]);
    expect(linesOf(metrics.text(), 'automatosx_tool_call_seconds_count')).toEqual([
      'automatosx_tool_call_seconds_count{tool="a"} 4',
    ]);
    const [sum] = linesOf(metrics.text(), 'automatosx_tool_call_seconds_sum{tool="a"} ');
    expect(Number(sum?.split(' ')[1])).toBeCloseTo(3600.703);
  });
});

test('a gauge is asked each time that it is told, and every figure says what it is', () => {
  const metrics = createMetrics();
  let value = 1;
  metrics.gauge('automatosx_sessions', 'Sessions that are open', () => value);
  value = 7;
  expect(metrics.text()).toContain(
    '# HELP automatosx_sessions Sessions that are open\n# TYPE automatosx_sessions gauge\nautomatosx_sessions 7\n',
  );
  expect(metrics.text()).toContain('# TYPE automatosx_tool_calls_total counter\n');
  expect(metrics.text()).toContain('# TYPE automatosx_tool_call_seconds histogram\n');
  expect(metrics.text().endsWith('\n')).toBe(true);
});

test('the process tells what is under way and what was lost', () => {
  const metrics = createMetrics();
  const lost = { traces: 0, outputs: 0 };
  watchProcess(metrics, { inFlight: () => 3, lost });
  lost.traces = 2;
  lost.outputs = 1;
  const text = metrics.text();
  expect(linesOf(text, 'automatosx_requests_in_flight')).toEqual(['automatosx_requests_in_flight 3']);
  expect(linesOf(text, 'automatosx_traces_lost')).toEqual(['automatosx_traces_lost 2']);
  expect(linesOf(text, 'automatosx_invalid_outputs')).toEqual(['automatosx_invalid_outputs 1']);
  expect(Number(linesOf(text, 'process_resident_memory_bytes')[0]?.split(' ')[1])).toBeGreaterThan(1_000_000);
  expect(Number(linesOf(text, 'process_uptime_seconds')[0]?.split(' ')[1])).toBeGreaterThan(0);
});
