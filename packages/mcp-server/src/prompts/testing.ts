import { asked } from '../resources/testing.js';
import type { Prompt } from './prompt.js';

/** For tests: all texts of a prompt's messages, and the resources that it embeds. */
export async function got(
  prompts: readonly Prompt[],
  name: string,
  { principal = 'user', ...given }: Readonly<Record<string, string>> = {},
) {
  const messages = (await prompts.find((prompt) => prompt.name === name)?.messages(given, asked(principal))) ?? [];
  return {
    text: messages.flatMap(({ content }) => (content.type === 'text' ? [content.text] : [])).join('\n'),
    resources: messages.flatMap(({ content }) =>
      content.type === 'resource' ? [content.resource as { uri: string; mimeType: string; text: string }] : [],
    ),
  };
}

/** What is offered for an argument of which this much is typed. */
export const completed = (prompts: readonly Prompt[], of: string, [argument, typed]: readonly [string, string]) =>
  prompts.find(({ name }) => name === of)?.complete?.({ of, argument, typed, chosen: {}, principal: 'user' });
