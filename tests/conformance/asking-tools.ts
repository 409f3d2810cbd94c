import type { ClientRequest } from '@automatosx/mcp-runtime';
import { text } from './media.js';
import { type Run, tool } from './tools.js';

type Properties = Readonly<Record<string, unknown>>;

export const elicit = (message: string, properties: Properties, required = Object.keys(properties)): ClientRequest => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});

const sample = (prompt: string, maxTokens: number): ClientRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens },
});

const roots: ClientRequest = { method: 'roots/list', params: {} };
const string = { type: 'string' };
const nameQuestion = elicit('What is your name?', { name: string });

const oneArgument = (name: string) => ({ type: 'object', properties: { [name]: string }, required: [name] });

/** Asks everything at once and tells all that was answered. */
const asks =
  (requests: Readonly<Record<string, ClientRequest>>, words = 'Answered'): Run =>
  async (_input, { client }) => ({ content: [text(`${words}: ${JSON.stringify(await client.ask(requests))}`)] });

const options = (prefix: string, titles: readonly string[]) =>
  titles.map((title, index) => ({ const: `${prefix}${index + 1}`, title }));

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const ENUMS = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: options('value', ['First Option', 'Second Option', 'Third Option']) },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: {
    type: 'array',
    items: { anyOf: options('value', ['First Choice', 'Second Choice', 'Third Choice']) },
  },
};

interface Elicited {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

const completed =
  (properties: Properties): Run =>
  async (_input, { client }) => {
    const { answer } = await client.ask({ answer: elicit('Please fill in the form', properties, []) });
    const { action, content } = answer as Elicited;
    return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] };
  };

/** Tools that need the client: what it samples, what its user types, which folders it has. */
export const askingTools = [
  tool(
    'test_sampling',
    async ({ prompt = '' }, { client }) => {
      const { answer } = await client.ask({ answer: sample(prompt, 100) });
      return { content: [text(`LLM response: ${(answer as { content: { text: string } }).content.text}`)] };
    },
    oneArgument('prompt'),
  ),
  tool(
    'test_elicitation',
    async ({ message = '' }, { client }) => {
      const form = { username: { ...string, description: 'Name' }, email: { ...string, description: 'Address' } };
      const { answer } = await client.ask({ answer: elicit(message, form) });
      return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
    },
    oneArgument('message'),
  ),
  tool('test_elicitation_sep1034_defaults', completed(DEFAULTS)),
  tool('test_elicitation_sep1330_enums', completed(ENUMS)),
  tool('test_missing_capability', asks({ answer: sample('Hello', 10) })),
  tool('test_streaming_elicitation', asks({ user_name: nameQuestion })),
  tool('test_input_required_result_elicitation', async (_input, { client }) => {
    const { user_name: answer } = await client.ask({ user_name: nameQuestion });
    return { content: [text(`Hello, ${(answer as Elicited).content?.name}!`)] };
  }),
  tool(
    'test_input_required_result_sampling',
    asks({ capital_question: sample('What is the capital of France?', 100) }),
  ),
  tool('test_input_required_result_list_roots', asks({ client_roots: roots })),
  tool(
    'test_input_required_result_request_state',
    asks({ confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }, 'state-ok'),
  ),
  tool(
    'test_input_required_result_multiple_inputs',
    asks({ user_name: nameQuestion, greeting: sample('Generate a greeting', 50), client_roots: roots }),
  ),
  tool('test_input_required_result_multi_round', async (_input, { client }) => {
    const first = await client.ask({ step1: elicit('Step 1: What is your name?', { name: string }) });
    const second = await client.ask({ step2: elicit('Step 2: What is your favorite color?', { color: string }) });
    return { content: [text(`Both steps: ${JSON.stringify({ ...first, ...second })}`)] };
  }),
  tool('test_input_required_result_tampered_state', asks({ user_name: nameQuestion })),
  tool('test_input_required_result_capabilities', async (input, context) => {
    const wanted = { elicitation: nameQuestion, sampling: sample('Generate a greeting', 50), roots };
    const possible = Object.entries(wanted).filter(([capability]) => context.client.capabilities[capability]);
    return asks(Object.fromEntries(possible))(input, context);
  }),
];
