import type { CallRecord } from './call-record.js';
import type { TraceAnalysis } from './analyze.js';
