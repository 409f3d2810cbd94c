export { analyze } from './analyze.js';
export type { CallRecord, TraceMarks, TraceStatus, TraceStep } from './call-record.js';
export { eventCountOf, toEvents, traceName } from './call-record.js';
export type { TraceAnalysis } from './findings.js';
export type { Redactor } from './redact.js';
export { createRedactor } from './redact.js';
export type { TraceHead, TraceQuery, TraceStore } from './store.js';
