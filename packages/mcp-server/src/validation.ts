import type { Handler, Middleware } from '@automatosx/mcp-runtime';
import type * as z from 'zod';

export interface Validated<T> {
  readonly valid: boolean;
  readonly data: T;
  readonly errors?: readonly string[];
}

/** Holds an output against its schema. The output is passed on as it is, right or wrong (INV-MCP-VAL-001). */
export function validateOutput<T>(schema: z.ZodType<T>, toolName: string, output: unknown): Validated<T> {
  const result = schema.safeParse(output);
  if (result.success) return { valid: true, data: output as T };
  const errors = result.error.issues.map(({ path, message }) => `${toolName}: ${path.join('.')}: ${message}`);
  return { valid: false, data: output as T, errors };
}

export interface OutputOptions {
  /** In tests a bad output is a failure; users get their answer all the same. */
  readonly isStrict: boolean;
  readonly onInvalid: (toolName: string, errors: readonly string[]) => void;
}

/** A handler whose outputs are held against the schema: a bad one is logged, counted and marked in the trace. */
export const withValidation =
  (handler: Handler, outputSchema: z.ZodType, toolName: string, { isStrict, onInvalid }: OutputOptions): Handler =>
  async (call) => {
    const { data, errors } = validateOutput(outputSchema, toolName, await handler(call));
    if (errors === undefined) return data;
    call.facts.invalidOutput = errors;
    onInvalid(toolName, errors);
    if (isStrict) throw new Error(`The output of ${toolName} breaks its schema: ${errors.join('; ')}`);
    return data;
  };

export const outputLayer =
  (options: OutputOptions): Middleware =>
  (call, next) => {
    const { output, name } = call.tool.contract;
    return withValidation(next, output, name, options)(call);
  };
