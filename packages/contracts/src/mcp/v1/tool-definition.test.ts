import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineContract } from './contract.js';
import { toJsonSchema, toToolDefinition } from './tool-definition.js';
import { TOOL_CONTRACTS } from './tools/index.js';

const noteWrite = defineContract({
  name: 'note_write',
  title: 'Write a note',
  description: 'Writes a note.',
  category: 'mutation',
  effect: 'store',
  destructive: true,
  input: z.strictObject({ text: z.string().max(5), tags: z.array(z.string()).default([]), at: z.iso.datetime() }),
  output: z.object({ id: z.uuid(), version: z.int() }),
  errors: [],
});

test('INV-MCP-008: what clients see is derived from the contract, all of it', () => {
  expect(toToolDefinition(noteWrite)).toEqual({
    name: 'note_write',
    title: 'Write a note',
    description: 'Writes a note.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', maxLength: 5 },
        tags: { type: 'array', items: { type: 'string' }, default: [] },
        at: { type: 'string', format: 'date-time' },
      },
      required: ['text', 'at'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        success: { type: 'boolean' },
        data: {
          type: 'object',
          properties: { id: { type: 'string' }, version: { type: 'integer' } },
        },
        error: { type: 'object' },
        metadata: { type: 'object' },
      },
      required: ['success'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  });
});

describe('a schema in JSON', () => {
  test('has no bounds that only say what an integer is', () => {
    expect(toJsonSchema(z.int(), 'input')).toEqual({ type: 'integer' });
    expect(toJsonSchema(z.int().min(0).max(7), 'input')).toEqual({ type: 'integer', minimum: 0, maximum: 7 });
  });

  test('has a pattern only where no format says it', () => {
    expect(toJsonSchema(z.uuid(), 'input')).toEqual({ type: 'string', format: 'uuid' });
    expect(toJsonSchema(z.string().regex(/^a/), 'input')).toEqual({ type: 'string', pattern: '^a' });
  });

  test('is closed for input and open for output', () => {
    expect(toJsonSchema(z.strictObject({}), 'input')).toHaveProperty('additionalProperties', false);
    expect(toJsonSchema(z.strictObject({}), 'output')).not.toHaveProperty('additionalProperties');
  });

  test('says nothing of a value that may be anything', () => {
    expect(toJsonSchema(z.custom(), 'input')).toEqual({});
  });
});

test('INV-MCP-RESP-001: success, failure and an answer that was too large all are what the definition says', () => {
  const { outputSchema } = toToolDefinition(noteWrite);
  const accepts = new Ajv({ formats: { uuid: true } }).compile(outputSchema ?? {});
  const metadata = { durationMs: 1 };
  expect(accepts({ success: true, data: { id: 'x', version: 1, more: true }, metadata })).toBe(true);
  expect(accepts({ success: false, error: { code: 'NOT_FOUND', message: 'm', retryable: false }, metadata })).toBe(
    true,
  );
  expect(accepts({ success: true, metadata: { ...metadata, truncated: true } })).toBe(true);
  expect(accepts({ success: true, data: null })).toBe(false);
  expect(accepts({ data: {} })).toBe(false);
});

describe.each(TOOL_CONTRACTS.map((contract) => [contract.name, toToolDefinition(contract)] as const))(
  '%s',
  (_name, { inputSchema, outputSchema, annotations, title, description }) => {
    test('has no $schema, which every client would pay for', () => {
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('$schema');
    });

    test('takes an object without other fields', () => {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    });

    test('answers with an envelope that is valid whether the call succeeded or failed', () => {
      expect(outputSchema).toMatchObject({ type: 'object', required: ['success'] });
      const { properties } = outputSchema as { properties: Record<string, { type?: unknown }> };
      expect(Object.keys(properties)).toEqual(['success', 'data', 'error', 'metadata']);
      expect(properties.data).toMatchObject({ type: 'object' });
    });

    test('INV-MCP-004: declares its four hints', () => {
      expect(Object.keys(annotations)).toEqual(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
      for (const hint of Object.values(annotations)) expect(hint).toBeTypeOf('boolean');
    });

    test('says what it is for in a few words', () => {
      expect(title.length).toBeGreaterThan(3);
      expect(title.length).toBeLessThan(50);
      expect(description).toMatch(/^[A-Z].{10,300}\.$/);
    });
  },
);

test('all definitions together cost a client less than 8,000 tokens', () => {
  const characters = JSON.stringify(TOOL_CONTRACTS.map(toToolDefinition)).length;
  expect(characters / 4).toBeLessThan(8_000);
});
