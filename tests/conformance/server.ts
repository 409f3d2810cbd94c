// The product with what the official conformance suite needs to find in a server, in the same catalog on the same wire.
import { main, type Server } from '@automatosx/mcp-server';
import { askingTools } from './asking-tools.js';
import { text } from './media.js';
import { testPrompts } from './prompts.js';
import { testResources } from './resources.js';
import { taskTools } from './task-tools.js';
import { contentTools, tool } from './tools.js';

let server: Server | undefined;

const changingTools = [
  tool('test_trigger_tool_change', async () => {
    server?.catalog.add([tool(`test_added_${Date.now()}`, async () => ({ content: [text('added')] }))]);
    return { content: [text('The list of tools has changed.')] };
  }),
  tool('test_trigger_prompt_change', async () => {
    server?.announce('prompts');
    return { content: [text('The list of prompts has changed.')] };
  }),
];

process.exitCode = await main({
  tools: [...contentTools, ...askingTools, ...taskTools, ...changingTools],
  resources: [testResources],
  prompts: testPrompts,
  onServer: (created) => {
    server = created;
  },
});
process.exit();
