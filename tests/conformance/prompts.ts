import type { Prompt } from '@automatosx/mcp-server';
import { elicit } from './asking-tools.js';
import { PNG, text } from './media.js';

const user = (content: Record<string, unknown>) => ({ role: 'user' as const, content });

const prompt = (
  name: string,
  argumentNames: readonly string[],
  messages: Prompt['messages'],
  more: Partial<Prompt> = {},
): Prompt => ({
  name,
  title: name,
  description: `${name}, for the conformance suite`,
  arguments: argumentNames.map((argument) => ({ name: argument, description: argument, required: true })),
  messages,
  ...more,
});

/** Prompts of the suite. */
export const testPrompts: readonly Prompt[] = [
  prompt('test_simple_prompt', [], async () => [user(text('This is a simple prompt for testing.'))]),
  prompt(
    'test_prompt_with_arguments',
    ['arg1', 'arg2'],
    async ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    { complete: async ({ typed }) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)) },
  ),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], async ({ resourceUri }) => [
    user({
      type: 'resource',
      resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
    }),
    user(text('Please process the embedded resource above.')),
  ]),
  prompt('test_prompt_with_image', [], async () => [
    user({ type: 'image', data: PNG, mimeType: 'image/png' }),
    user(text('Please analyze the image above.')),
  ]),
  prompt('test_input_required_result_prompt', [], async (_given, { client }) => {
    const question = elicit('What context should the prompt use?', { context: { type: 'string' } });
    const { user_context: answer } = await client.ask({ user_context: question });
    return [user(text(`Use this context: ${JSON.stringify(answer)}`))];
  }),
];
