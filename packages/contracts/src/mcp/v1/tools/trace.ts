import * as z from 'zod';
import { defineContract } from '../contract.js';
import { TRACE_EVENT_TYPES } from '../trace/tool-trace.js';
import { paged, paging } from './paging.js';

const traceId = z.string().min(1).max(100);
const status = z.enum(['success', 'failure', 'running']);
const time = z.iso.datetime();

const traceHead = {
  traceId,
  name: z.string(),
  workflowId: z.string(),
  toolName: z.string(),
  status,
  startTime: time,
  endTime: time.optional(),
  durationMs: z.number(),
  eventCount: z.int(),
  correlationId: z.string(),
  sessionId: z.string().optional(),
  errorCode: z.string().optional(),
  toolCode: z.string().optional(),
  replayed: z.boolean().optional(),
};

export const traceList = defineContract({
  name: 'trace_list',
  title: 'List traces',
  description: 'Lists what was called, newest first.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({
    status: status.optional(),
    toolName: z.string().max(200).optional(),
    sessionId: z.string().max(100).optional(),
    workspace: z.string().max(1000).optional(),
    ...paging(10, 1000),
  }),
  output: z.object({ traces: z.array(z.object(traceHead)), ...paged }),
  errors: [],
});

export const traceGet = defineContract({
  name: 'trace_get',
  title: 'Get a trace',
  description: 'Shows one call with all its events: input, output, steps, errors. Secrets are redacted.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({ traceId }),
  output: z.object({
    ...traceHead,
    events: z.array(
      z.object({
        eventId: z.string(),
        type: z.enum(TRACE_EVENT_TYPES),
        sequence: z.int(),
        timestamp: time,
        correlationId: z.string(),
        status: z.string().optional(),
        durationMs: z.number().optional(),
        payload: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
  errors: ['TRACE_NOT_FOUND'],
});

const step = z.object({ stepId: z.string(), stepName: z.string(), durationMs: z.number() });

export const traceAnalyze = defineContract({
  name: 'trace_analyze',
  title: 'Analyze a trace',
  description: 'Says what was slow, what failed, what was retried, repeated, cut or near its timeout, and what to do.',
  category: 'scan',
  effect: 'read',
  input: z.strictObject({ traceId }),
  output: z.object({
    traceId,
    summary: z.string(),
    performance: z.object({
      totalDuration: z.number(),
      averageStepDuration: z.number(),
      slowestStep: step.nullable(),
      criticalPath: z.array(step),
    }),
    issues: z.array(
      z.object({
        type: z.string(),
        message: z.string(),
        severity: z.enum(['low', 'medium', 'high', 'critical']),
        stepId: z.string().optional(),
      }),
    ),
    recommendations: z.array(z.object({ type: z.string(), message: z.string(), severity: z.string() })),
    metrics: z.object({
      stepCount: z.int(),
      successRate: z.number(),
      errorCount: z.int(),
      retryCount: z.int(),
      repeatedCalls: z.int(),
    }),
  }),
  errors: ['TRACE_NOT_FOUND'],
});

export const TraceListInputSchema = traceList.input;
export const TraceListOutputSchema = traceList.output;
export const TraceGetInputSchema = traceGet.input;
export const TraceGetOutputSchema = traceGet.output;
export const TraceAnalyzeInputSchema = traceAnalyze.input;
export const TraceAnalyzeOutputSchema = traceAnalyze.output;
