import { nearest } from '@automatosx/contracts';
import type { Tool } from '@automatosx/mcp-runtime';

/** What an assistant needs most, for clients with little room. */
const CORE = ['memory_', 'session_', 'workflow_', 'agent_list', 'agent_run', 'trace_get'];

/** The tools that `--tools` asks for. */
export function selectTools(tools: readonly Tool[], selection: string): readonly Tool[] {
  if (selection === 'all') return tools;
  if (selection === 'core') {
    return tools.filter(({ contract }) => CORE.some((start) => contract.name.startsWith(start)));
  }
  const wanted = selection.split(',').map((name) => name.trim());
  const names = tools.map(({ contract }) => contract.name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const hint = nearest(name, names);
    throw new Error(`--tools: there is no tool ${name}${hint ? `; did you mean ${hint}?` : ''}`);
  }
  return tools.filter(({ contract }) => wanted.includes(contract.name));
}
