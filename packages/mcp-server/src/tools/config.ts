import type { Configuration } from '@automatosx/config-domain';
import { configGet, configSet, configShow } from '@automatosx/contracts';
import { implement, type Tool } from '@automatosx/mcp-runtime';

export const configTools = (configuration: Configuration): Tool[] => [
  implement(configGet, async ({ path, scope }) => configuration.get(path, scope)),
  implement(configSet, ({ path, value, scope }) => configuration.set(path, value, scope)),
  implement(configShow, async ({ scope }) => configuration.show(scope)),
];
