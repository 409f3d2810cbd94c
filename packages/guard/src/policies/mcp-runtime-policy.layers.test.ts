import { defineContract, type MCPCacheStats, type ToolCategory } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import {
  type CallContext,
  compose,
  createCache,
  createCancellation,
  layers,
  NO_CLIENT,
  runTool,
  type ToolAnswer,
} from '@automatosx/mcp-runtime';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { mcpRuntimePolicy } from './mcp-runtime-policy.js';

const config = ConfigSchema.parse({ timeouts: { toolTimeouts: { query: 400 } } });

interface Situation {
  readonly requestBytes?: number;
  /** How long the tool takes. */
  readonly ms?: number;
}

/** One call through all layers, guarded by the policy, under the given pressure. */
async function callAt(
  level: MCPCacheStats['pressureLevel'],
  category: ToolCategory,
  { requestBytes, ms = 0 }: Situation = {},
) {
  const cache = createCache({ config: () => config.cache, now: () => 1_000 });
  const handle = compose(
    layers({
      config: () => config,
      cache: { ...cache, stats: () => ({ ...cache.stats(), pressureLevel: level }) },
      changes: { stamp: async () => '' },
      idempotency: {
        claim: async () => ({ state: 'claimed' }),
        complete: async () => {},
        release: async () => {},
        removeExpired: async () => false,
      },
      artifacts: { add: async () => undefined, read: async () => undefined, removeExpired: async () => false },
      ready: async () => {},
      policy: mcpRuntimePolicy,
      output: (call, next) => next(call),
      redact: (value) => value,
      log: () => {},
    }),
    runTool,
  );
  const contract = defineContract({
    name: 'note_work',
    title: 'Work on notes',
    description: 'Works on notes.',
    category,
    effect: 'world',
    input: z.unknown(),
    output: z.unknown(),
    errors: [],
  });
  const context: CallContext = {
    principal: 'ada',
    isLocal: true,
    workspace: '/work',
    correlationId: 'c-1',
    requestBytes,
    cancellation: createCancellation(),
    progress: () => {},
    client: NO_CLIENT,
    log: () => {},
  };
  const tool = { contract, run: () => new Promise((resolve) => setTimeout(resolve, ms, 'done')) };
  const facts: { steps: []; warnings: string[]; nearTimeoutMs?: number } = { steps: [], warnings: [] };
  const answer = await handle({ tool, input: {}, context, startedAt: performance.now(), facts });
  return { ...(answer as ToolAnswer), facts };
}

test.each(['scan', 'execution'] as const)(
  'under critical pressure a %s is told to come again in a second',
  async (category) => {
    expect((await callAt('critical', category)).envelope).toMatchObject({
      success: false,
      error: {
        code: 'MEMORY_PRESSURE',
        retryable: true,
        retryAfterMs: 1_000,
        context: { policy: 'mcp-runtime-policy', gate: 'memory-pressure-check' },
      },
    });
  },
);

test.each(['query', 'mutation'] as const)('under critical pressure a %s goes on', async (category) => {
  expect((await callAt('critical', category)).envelope).toMatchObject({ success: true, data: 'done' });
});

test('under high pressure a scan goes on, with a warning', async () => {
  const { envelope, facts } = await callAt('high', 'scan');
  expect(envelope.success).toBe(true);
  expect(facts.warnings).toEqual(['Memory pressure is high']);
});

test('a request that is too large is refused, and there is no use in sending it again', async () => {
  const { envelope } = await callAt('low', 'scan', { requestBytes: 10_485_761 });
  expect(envelope).toMatchObject({ error: { code: 'INVALID_INPUT', retryable: false } });
  expect(envelope).not.toHaveProperty('error.retryAfterMs');
});

test('a call that came near its timeout is noted, one that did not is not', async () => {
  expect((await callAt('low', 'query', { ms: 350 })).facts.nearTimeoutMs).toBe(400);
  expect((await callAt('low', 'query')).facts.nearTimeoutMs).toBeUndefined();
});
