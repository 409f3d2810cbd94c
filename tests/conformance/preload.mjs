// The suite imports `globSync`, which Node 20 does not have and which running scenarios does not need.
import { register } from 'node:module';

const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `
const shim = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(shim)});
export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('@modelcontextprotocol/conformance')
    ? { url: shim, shortCircuit: true }
    : next(name, context);
`;
if (Number(process.versions.node.split('.')[0]) < 22) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
