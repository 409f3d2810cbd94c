export { configTools } from './config.js';
export { memoryTools } from './memory.js';
export { selectTools } from './select.js';
export { sessionTools } from './session.js';
export { traceTools } from './trace.js';
