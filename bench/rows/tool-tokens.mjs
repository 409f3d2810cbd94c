import { startServer } from '../lib/stdio-client.mjs';

const CHARACTERS_PER_TOKEN = 4;
const PLANNED_TOOLS = 38;

const tokensOf = (value) => JSON.stringify(value).length / CHARACTERS_PER_TOKEN;

/** What our own tools cost every conversation of every client. */
export async function measure() {
  const client = await startServer();
  const { tools } = await client.request('tools/list', {});
  await client.stop();
  const total = tokensOf(tools);
  const details = Object.fromEntries(tools.map((tool) => [tool.name, partsOf(tool)]));
  return [
    { what: `tokens of our ${tools.length} tools, characters / 4`, unit: 'tokens', measured: total, details },
    {
      what: `  for ${PLANNED_TOOLS} like them`,
      unit: 'tokens',
      measured: (total / tools.length) * PLANNED_TOOLS,
      bar: { atMost: 12_000 },
      aim: { atMost: 8000 },
    },
  ];
}

const partsOf = (tool) => ({
  total: Math.round(tokensOf(tool)),
  input: Math.round(tokensOf(tool.inputSchema)),
  output: Math.round(tokensOf(tool.outputSchema)),
  description: Math.round(tokensOf(tool.description)),
});
