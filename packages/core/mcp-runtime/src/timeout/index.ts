export { timeoutFor } from './categories.js';
export { timeout } from './wrapper.js';
