// The smallest high-level server of the official SDK: one tool, as its documentation shows it.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'one-tool', version: '1.0.0' });
server.registerTool(
  'echo',
  { description: 'Answers with its arguments', inputSchema: z.object({ text: z.string() }) },
  ({ text }) => ({ content: [{ type: 'text', text }] }),
);
await server.connect(new StdioServerTransport());
