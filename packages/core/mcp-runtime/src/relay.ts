import { defineContract, type ToolContract } from '@automatosx/contracts';
import * as z from 'zod';
import type { RelayedDefinition, RelayedResult, Tool, ToolContext } from './types.js';

type Known = Partial<Pick<ToolContract, 'category' | 'effect' | 'idempotent' | 'destructive'>>;

/** A tool that is listed with the definition given and answers in the protocol's own shape. */
export const relay = (
  definition: RelayedDefinition,
  run: (input: never, context: ToolContext) => Promise<RelayedResult>,
  known: Known = {},
): Tool => ({
  contract: defineContract({
    name: definition.name,
    title: definition.name,
    description: '',
    category: 'execution',
    effect: 'world',
    openWorld: true,
    input: z.unknown(),
    output: z.unknown(),
    errors: [],
    ...known,
  }),
  run,
  relayed: definition,
});
