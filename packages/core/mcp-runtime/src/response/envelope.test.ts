import { MCPResponseEnvelopeSchema, ToolError } from '@automatosx/contracts';
import { ConfigSchema } from '@automatosx/contracts/config';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { InputRequired } from '../client.js';
import type { ArtifactStore } from '../ports.js';
import { relay } from '../relay.js';
import { callOf, memoryArtifacts } from '../testing.js';
import type { ToolAnswer, ToolCall } from '../types.js';
import { envelope } from './envelope.js';

/** The layer around a handler, with a store of artifacts in memory. */
function setup(part: object = {}, store: Partial<ArtifactStore> = {}) {
  const artifacts = { ...memoryArtifacts(), ...store };
  const config = ConfigSchema.parse({ limits: { response: part } });
  const redacted: unknown[] = [];
  const redact = <T>(value: T): T => {
    redacted.push(value);
    return value;
  };
  const log = vi.fn();
  const layer = envelope({ config: () => config, artifacts, redact, log });
  const ask = (handler: () => Promise<unknown>, call: ToolCall = callOf()) =>
    layer(call, handler) as Promise<ToolAnswer>;
  return { ask, artifacts, redacted, log };
}

const answering = (data: unknown) => async () => data;
const failing = (error: unknown) => async () => Promise.reject(error);
const bytesOf = ({ text }: ToolAnswer) => Buffer.byteLength(text);
const large = { list: Array.from({ length: 5_000 }, (_, index) => ({ index, text: 'x'.repeat(1_000) })) };

describe('an answer', () => {
  test('INV-MCP-RESP-001: is the envelope, and its text is the same in JSON', async () => {
    const { ask, redacted } = setup();
    const answer = await ask(answering({ a: 1 }));
    expect(answer.envelope).toEqual({
      success: true,
      data: { a: 1 },
      metadata: { durationMs: expect.any(Number), cached: false, truncated: false },
    });
    expect(answer.text).toBe(JSON.stringify(answer.envelope));
    expect(redacted).toEqual([]);
  });

  test('INV-MCP-TIMEOUT-005: carries its duration, in time or not', async () => {
    const { ask } = setup();
    const started = () => ({ ...callOf(), startedAt: performance.now() - 250 });
    const late = new ToolError('TOOL_TIMEOUT', 'note_write took longer than 200 ms');
    const { envelope: inTime } = await ask(answering(1), started());
    const { envelope: tooLate } = await ask(failing(late), started());
    for (const { metadata } of [inTime, tooLate]) {
      expect(Number.isInteger(metadata.durationMs)).toBe(true);
      expect(metadata.durationMs).toBeGreaterThanOrEqual(250);
    }
  });

  test('INV-MCP-RESP-002: a failure has its code, and its secrets are taken out', async () => {
    const { ask, redacted, log } = setup();
    const { envelope } = await ask(failing(new ToolError('NOT_FOUND', 'No note 7')));
    expect(envelope).toMatchObject({ success: false, error: { code: 'NOT_FOUND', message: 'No note 7' } });
    expect(redacted).toEqual([{ message: 'No note 7', context: undefined }]);
    expect(log).not.toHaveBeenCalled();
  });

  test('INV-MCP-RESP-002: data that has no JSON is a bug: INTERNAL_ERROR, logged, without its text', async () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    for (const data of [endless, { big: 1n }]) {
      const { ask, log } = setup();
      const { envelope, text } = await ask(answering(data));
      expect(envelope).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
      expect(text).not.toMatch(/circular|BigInt/);
      expect(log).toHaveBeenCalledOnce();
    }
  });
});

describe('an answer over the limit', () => {
  test('INV-MCP-RESP-003: is cut to at most 1,048,576 bytes', async () => {
    const answer = await setup().ask(answering(large));
    expect(bytesOf(answer)).toBeLessThanOrEqual(1_048_576);
    expect(answer.envelope).toMatchObject({ data: { list: large.list.slice(0, 100) } });
  });

  test('an answer at the limit is whole, one byte more is cut', async () => {
    const { ask } = setup({ maxResponseBytes: 2_000 });
    // A duration of four digits, however slow the machine is.
    const call = () => ({ ...callOf(), startedAt: performance.now() - 1_500 });
    const text = 'x'.repeat(2_000 - bytesOf(await ask(answering(''), call())));
    expect((await ask(answering(text), call())).envelope).toMatchObject({ data: text, metadata: { truncated: false } });
    expect((await ask(answering(`${text}x`), call())).envelope).toMatchObject({ metadata: { truncated: true } });
  });

  test('INV-MCP-RESP-004: says so, and the whole is kept for its principal', async () => {
    const { ask, artifacts } = setup();
    const call = callOf({ principal: 'bob' });
    const { envelope, text } = await ask(answering(large), call);
    expect(envelope.metadata).toEqual({
      durationMs: expect.any(Number),
      cached: false,
      truncated: true,
      artifact: 'artifact://a-1',
    });
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(envelope)));
    expect(artifacts.kept).toEqual([{ principal: 'bob', body: JSON.stringify(large) }]);
    expect(call.facts.truncated).toBe(true);
  });

  test('INV-MCP-RESP-004: says so too where the whole is too large to be kept, and links nothing', async () => {
    const { ask } = setup({}, { add: async () => undefined });
    const { envelope } = await ask(answering(large));
    expect(envelope.metadata).toEqual({ durationMs: expect.any(Number), cached: false, truncated: true });
  });

  test('is given without a link where the store fails: the call has acted', async () => {
    const down = new ToolError('STORAGE_UNAVAILABLE', 'The disk is full');
    const { ask, log } = setup({}, { add: failing(down) });
    const { envelope } = await ask(answering(large));
    expect(envelope).toMatchObject({ success: true, metadata: { truncated: true } });
    expect(envelope.metadata).not.toHaveProperty('artifact');
    expect(log).toHaveBeenCalledExactlyOnceWith('A truncated answer could not be kept as an artifact', {
      tool: 'note_write',
      error: down,
    });
  });

  test('says that it came from the cache', async () => {
    const call = callOf();
    call.facts.cached = true;
    const { envelope } = await setup().ask(answering(large), call);
    expect(envelope.metadata).toMatchObject({ cached: true, truncated: true });
  });

  test('has no data where nothing of it can be cut, which its schema allows', async () => {
    const numbers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, index]));
    const { text } = await setup({ maxResponseBytes: 1_024 }).ask(answering(numbers));
    expect(JSON.parse(text)).toEqual({
      success: true,
      metadata: { durationMs: expect.any(Number), cached: false, truncated: true, artifact: 'artifact://a-1' },
    });
  });

  test('INV-MCP-RESP-003: a failure is within the limit too, even the smallest', async () => {
    const { ask } = setup({ maxResponseBytes: 1_024 });
    const error = new ToolError('SESSION_INITIATOR_CANNOT_LEAVE', '\u0001'.repeat(5_000), {
      context: { data: 'x'.repeat(5_000) },
    });
    const answer = await ask(failing(error));
    expect(bytesOf(answer)).toBeLessThanOrEqual(1_024);
    expect(answer.envelope).toMatchObject({
      error: { code: 'CONFLICT', context: { toolCode: 'SESSION_INITIATOR_CANNOT_LEAVE' } },
    });
  });
});

test('INV-MCP-RESP-003: whatever is answered, it is an envelope within the limit', async () => {
  const schema = MCPResponseEnvelopeSchema(z.unknown().optional());
  const { ask } = setup({ maxResponseBytes: 1_024 });
  const data = fc.record({
    list: fc.array(fc.jsonValue(), { maxLength: 50 }),
    text: fc.string({ unit: 'binary', maxLength: 2_000 }),
  });
  await fc.assert(
    fc.asyncProperty(data, fc.boolean(), async (value, isFailure) => {
      const error = new ToolError('VERSION_CONFLICT', value.text, { context: value });
      const answer = await ask(isFailure ? failing(error) : answering(value));
      expect(bytesOf(answer)).toBeLessThanOrEqual(1_024);
      expect(schema.safeParse(JSON.parse(answer.text)).success).toBe(true);
    }),
  );
});

describe('a relayed result', () => {
  const tool = relay({ name: 'theirs', inputSchema: { type: 'object' } }, async () => ({}));
  const content = [{ type: 'text', text: 'theirs' }];

  test('is passed on unchanged, and recorded as a success', async () => {
    const { ask } = setup();
    const result = { content, structuredContent: [1, 'two'], _meta: { any: 'thing' }, unknown: null };
    const answer = await ask(answering(result), callOf({ tool }));
    expect(answer.relayed).toBe(result);
    expect(answer.text).toBe(JSON.stringify(result));
    expect(answer.envelope).toMatchObject({ success: true, data: result, metadata: { truncated: false } });
  });

  test('that is an error is passed on unchanged, and recorded as a failure', async () => {
    const { ask, log } = setup();
    const result = { content, isError: true };
    const answer = await ask(answering(result), callOf({ tool }));
    expect(answer.relayed).toBe(result);
    expect(answer.text).toBe(JSON.stringify(result));
    expect(answer.envelope).toMatchObject({
      success: false,
      error: { code: 'OPERATION_FAILED', message: 'theirs answered with an error', retryable: false },
    });
    expect(log).not.toHaveBeenCalled();
  });

  test('is not cut, however long it is: it is theirs', async () => {
    const { ask, artifacts } = setup({ maxResponseBytes: 1_024 });
    const answer = await ask(answering({ content, large }), callOf({ tool }));
    expect(answer.relayed).toEqual({ content, large });
    expect(artifacts.kept).toEqual([]);
  });

  test('is none where the call fails on our side: that is our envelope', async () => {
    const { ask } = setup();
    const answer = await ask(failing(new ToolError('RATE_LIMITED', 'Slower')), callOf({ tool }));
    expect(answer.relayed).toBeUndefined();
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } });
  });
});

test('a call that waits for its client is no failure, tells the trace for what, and carries the questions', async () => {
  const { ask, log } = setup();
  const requests = { folders: { method: 'roots/list' }, name: { method: 'elicitation/create', params: {} } } as const;
  const answer = await ask(failing(new InputRequired(requests)));
  expect(answer.inputRequired).toBe(requests);
  expect(answer.envelope).toMatchObject({ success: true, data: { waitsFor: ['folders', 'name'] } });
  expect(answer.relayed).toBeUndefined();
  expect(log).not.toHaveBeenCalled();
});
