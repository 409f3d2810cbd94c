export { arrayLimitFor } from './array-limits.js';
export { validate } from './input.js';
export { checkRequest, limits } from './request-validator.js';
