import type * as z from 'zod';
import type { ToolCode } from './response/errors.js';
import type { ToolCategory } from './timeout/schema.js';

/** A tool as data: everything that is known of it but the function that does the work. */
export interface ToolContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Picks the timeout and the rate limit. */
  readonly category: ToolCategory;
  /** What a call changes: nothing, only what is in the store, or the world outside it (files, processes, networks). */
  readonly effect: 'read' | 'store' | 'world';
  readonly idempotent: boolean;
  /** True if a call can overwrite or remove what was there. */
  readonly destructive: boolean;
  /** True if it reaches beyond this machine's own data. */
  readonly openWorld: boolean;
  readonly input: Input;
  readonly output: Output;
  /** The finer codes that it may answer with (INV-MCP-003). */
  readonly errors: readonly ToolCode[];
  /** Input fields that take any JSON: they have a rule of their own instead of `maxStringLength`. */
  readonly freeForm: readonly string[];
  /** Answers may be kept until one of these topics of the store changes. Absent: never kept. */
  readonly cacheUntil?: readonly string[];
}

export type InputOf<C extends ToolContract> = z.output<C['input']>;
export type OutputOf<C extends ToolContract> = z.input<C['output']>;

type Defaulted = 'idempotent' | 'destructive' | 'openWorld' | 'freeForm';
type Declaration<I extends z.ZodType, O extends z.ZodType> = Omit<ToolContract<I, O>, Defaulted> &
  Partial<Pick<ToolContract<I, O>, Defaulted>>;

/** Reading is always idempotent; everything else is what the declaration says. */
export const defineContract = <I extends z.ZodType, O extends z.ZodType>(
  declaration: Declaration<I, O>,
): ToolContract<I, O> => ({
  idempotent: declaration.effect === 'read',
  destructive: false,
  openWorld: false,
  freeForm: [],
  ...declaration,
});
