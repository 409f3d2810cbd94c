import * as z from 'zod';

/** The payload of a `tool.result` event: one call, whole. */
export const ToolTraceEventSchema = z.object({
  toolName: z.string(),
  input: z.unknown(),
  output: z.unknown().optional(),
  durationMs: z.number().min(0),
  success: z.boolean(),
  errorCode: z.string().optional(),
  toolCode: z.string().optional(),
  errorMessage: z.string().optional(),
});

export type ToolTraceEvent = z.infer<typeof ToolTraceEventSchema>;

export const TRACE_EVENT_TYPES = [
  'run.start',
  'run.end',
  'tool.invoke',
  'tool.result',
  'step.execute',
  'decision.routing',
  'error',
] as const;

export const TraceEventSchema = z.object({
  eventId: z.string(),
  type: z.enum(TRACE_EVENT_TYPES),
  sequence: z.number().int().nonnegative(),
  timestamp: z.iso.datetime(),
  correlationId: z.string(),
  status: z.enum(['success', 'failure', 'running', 'skipped']).optional(),
  durationMs: z.number().nonnegative().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

export type TraceEvent = z.infer<typeof TraceEventSchema>;
