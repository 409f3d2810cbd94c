import type { Handler, Middleware, ToolCall, ToolContext } from './types.js';

/** First layer listed is the outermost. */
export const compose = (layers: readonly Middleware[], handler: Handler): Handler =>
  layers.reduceRight<Handler>((inner, layer) => (call) => layer(call, inner), handler);

/** The innermost step: the tool's own function, with what it may use of the call. */
export const runTool: Handler = (call) => call.tool.run(call.input as never, new OwnContext(call));

class OwnContext implements ToolContext {
  readonly principal: string;
  readonly workspace: string;
  readonly progress: ToolContext['progress'];
  readonly client: ToolContext['client'];
  readonly log: ToolContext['log'];
  readonly note: ToolContext['note'];
  readonly #call: ToolCall;

  constructor(call: ToolCall) {
    this.principal = call.context.principal;
    this.workspace = call.context.workspace;
    this.progress = call.context.progress;
    this.client = call.context.client;
    this.log = call.context.log;
    this.note = (step) => call.facts.steps.push(step);
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.context.cancellation.signal;
  }
}
