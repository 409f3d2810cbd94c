export { envelope } from './envelope.js';
export { errors } from './errors.js';
export { durationOf, failure, success, toAnswer } from './helpers.js';
export { truncate } from './truncation.js';
