import type { MCPRequestLimits } from '@automatosx/contracts';

/** How many items an array in a call of this tool may have: the tool's own limit, else the general one. */
export const arrayLimitFor = (toolName: string, limits: MCPRequestLimits): number =>
  Object.hasOwn(limits.toolArrayLimits, toolName) ? (limits.toolArrayLimits[toolName] as number) : limits.maxArraySize;
