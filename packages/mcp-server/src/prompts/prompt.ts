import type { RequestContext } from '../protocol/request.js';
import type { CompletionQuestion } from '../resources/resource.js';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Readonly<Record<string, unknown>>;
}

/** A prompt: what `prompts/list` shows of it, and the function that makes its messages. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Every required argument is there; optional ones may be missing. Throws RpcError where one names nothing. */
  messages(given: Readonly<Record<string, string>>, request: RequestContext): Promise<readonly PromptMessage[]>;
  /** Values for an argument that begin with what was typed, the likeliest first. */
  complete?(question: CompletionQuestion): Promise<readonly string[]>;
}
