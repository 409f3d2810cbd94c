import type { MCPTimeoutConfig, ToolContract } from '@automatosx/contracts';

/** How long a call of this tool may take: its own limit, else that of its category (INV-MCP-TIMEOUT-002, -003). */
export const timeoutFor = ({ name, category }: ToolContract, config: MCPTimeoutConfig): number =>
  Object.hasOwn(config.toolOverrides, name) ? (config.toolOverrides[name] as number) : config.toolTimeouts[category];
