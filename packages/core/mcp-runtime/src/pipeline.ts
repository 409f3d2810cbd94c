import type { Handler, Middleware } from './types.js';

/** First layer listed is the outermost. */
export const compose = (layers: readonly Middleware[], handler: Handler): Handler =>
  layers.reduceRight<Handler>((inner, layer) => (call) => layer(call, inner), handler);

/** The innermost step: the tool's own function, with what it may use of the call. */
export const runTool: Handler = ({ tool, input, context, facts }) =>
  tool.run(input as never, {
    principal: context.principal,
    workspace: context.workspace,
    get signal() {
      return context.cancellation.signal;
    },
    progress: context.progress,
    note: (step) => facts.steps.push(step),
  });
