// The least that answers JSON with JSON over HTTP.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: { echo: params } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Serving MCP at http://127.0.0.1:${server.address().port}/mcp\n`);
});
