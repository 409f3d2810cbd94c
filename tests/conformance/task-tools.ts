import { setTimeout as sleep } from 'node:timers/promises';
import { relay } from '@automatosx/mcp-runtime';
import { elicit } from './asking-tools.js';
import { text } from './media.js';
import { type Run, tool } from './tools.js';

/** A tool that takes its time, and so becomes a task where the client knows tasks. */
const longTool = (name: string, run: Run, properties: Record<string, unknown> = {}) =>
  relay(
    { name, description: `${name}, for the conformance suite`, inputSchema: { type: 'object', properties } },
    run as never,
    { category: 'execution' },
  );

const confirmation = (message: string) => elicit(message, { confirm: { type: 'boolean' } });

/** Tools of the suite for the tasks extension. */
export const taskTools = [
  tool('greet', async ({ name }) => ({ content: [text(`Hello, ${name}!`)] }), {
    type: 'object',
    properties: { name: { type: 'string' } },
  }),
  longTool(
    'slow_compute',
    async ({ seconds }, { signal }) => {
      await sleep(Number(seconds ?? 1) * 1000, undefined, { signal });
      return { content: [text('Computed.')] };
    },
    { seconds: { type: 'number' } },
  ),
  longTool('failing_job', async () => {
    await sleep(1000);
    return { isError: true, content: [text('The job has failed.')] };
  }),
  longTool('confirm_delete', async (_input, { client }) => {
    const answer = await client.ask({ confirm: confirmation('Delete it?') });
    return { content: [text(`Confirmed: ${JSON.stringify(answer)}`)] };
  }),
  longTool('multi_input', async (_input, { client }) => {
    const answers = await client.ask({ first: confirmation('The first?'), second: confirmation('The second?') });
    return { content: [text(`Both: ${JSON.stringify(answers)}`)] };
  }),
];
