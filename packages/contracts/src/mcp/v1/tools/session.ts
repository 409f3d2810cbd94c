import * as z from 'zod';
import { defineContract } from '../contract.js';
import { jsonObject, smallObject } from './json.js';
import { MAX_VALUE_BYTES } from './memory.js';
import { paged, paging } from './paging.js';

const sessionId = z.uuid().toLowerCase();
/** The database ends a text at its first NUL. */
const hasNoNul = (text: string) => !text.includes('\0');
const agentId = z.string().min(1).max(50).refine(hasNoNul, 'Must not hold NUL');
const task = z.string().min(1).max(10_000);
const workspace = z.string().max(1000).refine(hasNoNul, 'Must not hold NUL');
const summary = z.string().max(10_000);
const status = z.enum(['active', 'completed', 'failed']);
const time = z.iso.datetime();

export const SESSION_ROLES = ['initiator', 'collaborator', 'observer', 'specialist'] as const;

export const sessionCreate = defineContract({
  name: 'session_create',
  title: 'Create a session',
  description: 'Opens a session in which several agents work on one task. The initiator is its first participant.',
  category: 'mutation',
  effect: 'store',
  input: z.strictObject({
    initiator: agentId,
    task,
    workspace: workspace.optional(),
    metadata: smallObject(MAX_VALUE_BYTES).optional(),
  }),
  output: z.object({
    sessionId,
    initiator: agentId,
    task,
    status: z.literal('active'),
    createdAt: time,
    workspace: workspace.optional(),
  }),
  errors: [],
});

export const sessionStatus = defineContract({
  name: 'session_status',
  title: 'Look at a session',
  description: 'Shows a session with everybody who takes or took part.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({ sessionId }),
  output: z.object({
    sessionId,
    status,
    initiator: agentId,
    task,
    participants: z.array(
      z.object({
        agentId,
        role: z.enum(SESSION_ROLES),
        joinedAt: time,
        leftAt: time.optional(),
        taskCount: z.int(),
      }),
    ),
    createdAt: time,
    updatedAt: time,
    completedAt: time.optional(),
    failedAt: time.optional(),
    summary: summary.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    workspace: workspace.optional(),
    metadata: jsonObject.optional(),
    version: z.int(),
  }),
  errors: ['SESSION_NOT_FOUND'],
});

export const sessionList = defineContract({
  name: 'session_list',
  title: 'List sessions',
  description: 'Lists sessions, newest first.',
  category: 'query',
  effect: 'read',
  input: z.strictObject({
    status: status.optional(),
    initiator: agentId.optional(),
    workspace: workspace.optional(),
    ...paging(20, 100),
  }),
  output: z.object({
    sessions: z.array(
      z.object({
        sessionId,
        initiator: agentId,
        task,
        status,
        participantCount: z.int(),
        createdAt: time,
        workspace: workspace.optional(),
      }),
    ),
    ...paged,
  }),
  errors: [],
});

export const sessionJoin = defineContract({
  name: 'session_join',
  title: 'Join a session',
  description: 'Adds an agent to an active session. Joining twice changes nothing.',
  category: 'mutation',
  effect: 'store',
  idempotent: true,
  input: z.strictObject({
    sessionId,
    agentId,
    role: z.enum(['collaborator', 'observer', 'specialist']).default('collaborator'),
  }),
  output: z.object({
    sessionId,
    agentId,
    role: z.enum(SESSION_ROLES),
    joinedAt: time,
    participantCount: z.int(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_INVALID_TRANSITION', 'SESSION_MAX_PARTICIPANTS'],
});

export const sessionLeave = defineContract({
  name: 'session_leave',
  title: 'Leave a session',
  description: 'Takes an agent out of a session. The initiator cannot leave while it is active.',
  category: 'mutation',
  effect: 'store',
  input: z.strictObject({ sessionId, agentId }),
  output: z.object({ sessionId, agentId, leftAt: time, remainingParticipants: z.int() }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_NOT_PARTICIPANT', 'SESSION_INITIATOR_CANNOT_LEAVE'],
});

export const sessionComplete = defineContract({
  name: 'session_complete',
  title: 'Complete a session',
  description: 'Ends an active session as completed.',
  category: 'mutation',
  effect: 'store',
  input: z.strictObject({ sessionId, summary: summary.optional() }),
  output: z.object({
    sessionId,
    status: z.literal('completed'),
    completedAt: time,
    summary: summary.optional(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_ALREADY_COMPLETED', 'SESSION_INVALID_TRANSITION'],
});

export const sessionFail = defineContract({
  name: 'session_fail',
  title: 'Fail a session',
  description: 'Ends an active session as failed, with the reason.',
  category: 'mutation',
  effect: 'store',
  input: z.strictObject({
    sessionId,
    error: z.strictObject({
      code: z.string().min(1).max(100),
      message: z.string().min(1).max(10_000),
      taskId: z.string().max(100).optional(),
      details: smallObject(MAX_VALUE_BYTES).optional(),
    }),
  }),
  output: z.object({
    sessionId,
    status: z.literal('failed'),
    failedAt: time,
    error: z.object({ code: z.string(), message: z.string() }),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_ALREADY_COMPLETED', 'SESSION_INVALID_TRANSITION'],
});

export const SessionCreateInputSchema = sessionCreate.input;
export const SessionCreateOutputSchema = sessionCreate.output;
export const SessionStatusInputSchema = sessionStatus.input;
export const SessionStatusOutputSchema = sessionStatus.output;
export const SessionListInputSchema = sessionList.input;
export const SessionListOutputSchema = sessionList.output;
export const SessionJoinInputSchema = sessionJoin.input;
export const SessionJoinOutputSchema = sessionJoin.output;
export const SessionLeaveInputSchema = sessionLeave.input;
export const SessionLeaveOutputSchema = sessionLeave.output;
export const SessionCompleteInputSchema = sessionComplete.input;
export const SessionCompleteOutputSchema = sessionComplete.output;
export const SessionFailInputSchema = sessionFail.input;
export const SessionFailOutputSchema = sessionFail.output;
