import { type ToolDefinition, ToolError, toToolDefinition } from '@automatosx/contracts';
import {
  type CallContext,
  compose,
  type Middleware,
  runTool,
  type Tool,
  type ToolAnswer,
} from '@automatosx/mcp-runtime';
import { type AnswerHandler, type TraceRecorder, wrapHandlersWithTracing } from './trace-wrapper.js';

/** Everything callable, and the only way to call it: through every layer, with a trace. */
export interface Catalog {
  has(name: string): boolean;
  /** In a stable order. */
  definitions(): readonly ToolDefinition[];
  call(name: string, input: unknown, context: CallContext): Promise<ToolAnswer>;
}

interface CatalogOptions {
  readonly tools: readonly Tool[];
  readonly layers: readonly Middleware[];
  readonly recorder: TraceRecorder;
}

export function createCatalog({ tools, layers, recorder }: CatalogOptions): Catalog {
  const byName = new Map(tools.map((tool) => [tool.contract.name, tool]));
  // One chain serves every tool: a layer reads what differs off the call.
  const chain = compose(layers, runTool) as AnswerHandler;
  const handlers = Object.fromEntries([...byName.keys()].map((name) => [name, chain]));
  const traced = new Map(Object.entries(wrapHandlersWithTracing(handlers, recorder)));
  let definitions: readonly ToolDefinition[] | undefined;
  return {
    has: (name) => byName.has(name),
    definitions: () => {
      // Deriving the JSON Schemas takes longer than the rest of the start, so it waits for the first who asks.
      definitions ??= tools.map(({ contract }) => toToolDefinition(contract));
      return definitions;
    },
    call: (name, input, context) => {
      const tool = byName.get(name);
      const handler = traced.get(name);
      if (!tool || !handler) throw new ToolError('NOT_FOUND', `There is no tool ${name}`);
      const facts = { steps: [], warnings: [] };
      return handler({ tool, input, context, startedAt: performance.now(), facts });
    },
  };
}
