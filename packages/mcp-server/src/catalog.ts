import { type ToolDefinition, ToolError, toToolDefinition } from '@automatosx/contracts';
import {
  type CallContext,
  compose,
  type Middleware,
  type RelayedDefinition,
  runTool,
  type Tool,
  type ToolAnswer,
} from '@automatosx/mcp-runtime';
import { type AnswerHandler, type TraceRecorder, wrapHandlersWithTracing } from './trace-wrapper.js';

/** A tool as `tools/list` shows it: our own, or as another server describes it. */
export type Listed = ToolDefinition | RelayedDefinition;

/** Everything callable, and the only way to call it: through every layer, with a trace. */
export interface Catalog {
  has(name: string): boolean;
  /** True for a tool whose calls may take minutes. */
  isLong(name: string): boolean;
  /** In a stable order. */
  definitions(): readonly Listed[];
  /** As another server describes it; undefined for a tool of our own. */
  relayed(name: string): RelayedDefinition | undefined;
  call(name: string, input: unknown, context: CallContext): Promise<ToolAnswer>;
  /** A tool takes the place of one with the same name. */
  add(tools: readonly Tool[]): void;
  remove(names: readonly string[]): void;
  /** Calls back after each time that tools were added or removed. */
  onChange(listener: () => void): void;
}

interface CatalogOptions {
  readonly tools: readonly Tool[];
  readonly layers: readonly Middleware[];
  readonly recorder: TraceRecorder;
}

export function createCatalog({ tools, layers, recorder }: CatalogOptions): Catalog {
  const byName = new Map<string, { readonly tool: Tool; readonly handler: AnswerHandler }>();
  // One chain serves every tool: a layer reads what differs off the call.
  const chain = compose(layers, runTool) as AnswerHandler;
  const listeners: (() => void)[] = [];
  let definitions: readonly Listed[] | undefined;

  const put = (added: readonly Tool[]) => {
    const handlers = Object.fromEntries(added.map(({ contract }) => [contract.name, chain]));
    const traced = new Map(Object.entries(wrapHandlersWithTracing(handlers, recorder)));
    for (const tool of added) {
      const { name } = tool.contract;
      byName.set(name, { tool, handler: traced.get(name) as AnswerHandler });
    }
  };
  const changed = () => {
    definitions = undefined;
    for (const listener of listeners) listener();
  };

  put(tools);
  return {
    has: (name) => byName.has(name),
    isLong: (name) => byName.get(name)?.tool.contract.category === 'execution',
    relayed: (name) => byName.get(name)?.tool.relayed,
    definitions: () => {
      // Deriving the JSON Schemas takes longer than the rest of the start, so it waits for the first who asks.
      definitions ??= [...byName.values()].map(
        ({ tool: { contract, relayed } }) => relayed ?? toToolDefinition(contract),
      );
      return definitions;
    },
    call: (name, input, context) => {
      const found = byName.get(name);
      if (!found) throw new ToolError('NOT_FOUND', `There is no tool ${name}`);
      const facts = { steps: [], warnings: [] };
      return found.handler({ tool: found.tool, input, context, startedAt: performance.now(), facts });
    },
    add: (added) => {
      put(added);
      changed();
    },
    remove: (names) => {
      const removed = names.filter((name) => byName.delete(name));
      if (removed.length > 0) changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
