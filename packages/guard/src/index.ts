export { mcpRuntimePolicy } from './policies/mcp-runtime-policy.js';
