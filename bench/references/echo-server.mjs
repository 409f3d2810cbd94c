// The smallest low-level server that the official SDK can make: one tool that answers with its arguments.
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => ({
  tools: [{ name: 'echo', description: 'Answers with its arguments', inputSchema: { type: 'object' } }],
}));
server.setRequestHandler('tools/call', ({ params }) => ({
  content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
}));
await server.connect(new StdioServerTransport());
