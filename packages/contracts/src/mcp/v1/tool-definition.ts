import * as z from 'zod';
import type { ToolContract } from './contract.js';

/** A tool as `tools/list` shows it, in the newest protocol version. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Derives what clients see from the contract, so that no schema is written twice (INV-MCP-008). */
export const toToolDefinition = (contract: ToolContract): ToolDefinition => ({
  name: contract.name,
  title: contract.title,
  description: contract.description,
  inputSchema: toJsonSchema(contract.input, 'input'),
  outputSchema: envelopeOf(toJsonSchema(contract.output, 'output')),
  annotations: {
    readOnlyHint: contract.effect === 'read',
    destructiveHint: contract.destructive,
    idempotentHint: contract.idempotent,
    openWorldHint: contract.openWorld,
  },
});

/** One object schema for success and failure: older clients check failures against it too. */
const envelopeOf = (data: Record<string, unknown>) => ({
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    data,
    error: { type: 'object' },
    metadata: { type: 'object' },
  },
  required: ['success'],
});

/** The schema in JSON, without what costs every client tokens and says nothing. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.propertyNames !== undefined) delete jsonSchema.propertyNames;
      if (io === 'output') openUp(jsonSchema);
    },
  });
  return json;
}

/**
 * Of an answer clients need the shape, and every word of it is paid for with each conversation. What it must hold binds
 * us, not them, and is checked before it leaves; a closed schema would make them refuse fields to come.
 */
function openUp(jsonSchema: Record<string, unknown>): void {
  for (const bound of ['additionalProperties', 'required', 'minLength', 'maxLength', 'minimum', 'maximum', 'format']) {
    delete jsonSchema[bound];
  }
}
