import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClient } from '../support/test-client.js';

let strict: TestClient;
let lenient: TestClient;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([
    TestClient.start({ program: 'fixture' }),
    TestClient.start({ program: 'fixture', isStrict: false }),
  ]);
});
afterAll(() => Promise.all([strict.end(), lenient.end()]));

test('INV-MCP-VAL-001: an output that breaks its schema is logged, marked in the trace and still answered', async () => {
  const { success, data } = await lenient.call('test_bad_output');
  expect({ success, data }).toEqual({ success: true, data: { count: 'three' } });
  // Logs come by another pipe than answers.
  await expect.poll(() => lenient.stderr).toContain('An output breaks its schema');
  const { traces } = await lenient.data('trace_list', { toolName: 'test_bad_output' });
  const { events } = await lenient.data('trace_get', { traceId: traces[0].traceId });
  expect(events[2].payload.invalidOutput[0]).toContain('count');
});

test('where outputs are strict, it is a failure', async () => {
  const { error } = await strict.call('test_bad_output');
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR' });
});

test('a bug of a tool is an internal error that tells nothing of the inside', async () => {
  const { error } = await strict.call('test_bug', { message: 'secret path /etc/passwd' });
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', retryable: true });
  expect(JSON.stringify(error)).not.toMatch(/passwd|stack|\.ts|\.js/);
  await expect.poll(() => strict.stderr).toContain('/etc/passwd');
});
