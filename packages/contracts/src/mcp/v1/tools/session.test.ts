import { expect, test } from 'vitest';
import type * as z from 'zod';
import {
  SESSION_ROLES,
  sessionComplete,
  sessionCreate,
  sessionFail,
  sessionJoin,
  sessionLeave,
  sessionStatus,
} from './session.js';

const accepts = ({ input }: { input: z.ZodType }, value: unknown) => input.safeParse(value).success;
const sessionId = '0b9f3d5e-6f4b-4f39-9c52-1f3a7d9b2c11';

test('the roles are those of the founding document', () => {
  expect(SESSION_ROLES).toEqual(['initiator', 'collaborator', 'observer', 'specialist']);
});

test.each([
  ['session_status', sessionStatus, {}],
  ['session_join', sessionJoin, { agentId: 'a' }],
  ['session_leave', sessionLeave, { agentId: 'a' }],
  ['session_complete', sessionComplete, {}],
  ['session_fail', sessionFail, { error: { code: 'c', message: 'm' } }],
])('%s takes the id of a session, which is a UUID', (_name, contract, more) => {
  expect(accepts(contract, { sessionId, ...more })).toBe(true);
  for (const other of ['', 'x', sessionId.slice(1), 5, undefined]) {
    expect(accepts(contract, { sessionId: other, ...more })).toBe(false);
  }
});

test.each([
  [true, { workspace: 'w'.repeat(1_000), metadata: { any: ['thing'] } }],
  [true, { initiator: 'i'.repeat(50), task: 't'.repeat(10_000) }],
  [false, { initiator: '' }],
  [false, { initiator: 'i'.repeat(51) }],
  [false, { task: '' }],
  [false, { task: 't'.repeat(10_001) }],
  [false, { workspace: 'w'.repeat(1_001) }],
  [false, { metadata: [] }],
  [false, { other: 1 }],
])('it is %s that session_create takes %j', (isTaken, part) => {
  expect(accepts(sessionCreate, { initiator: 'lead', task: 'work', ...part })).toBe(isTaken);
});

test('who joins is a collaborator unless told otherwise, and never the initiator', () => {
  expect(sessionJoin.input.parse({ sessionId, agentId: 'a' })).toMatchObject({ role: 'collaborator' });
  expect(accepts(sessionJoin, { sessionId, agentId: 'a', role: 'specialist' })).toBe(true);
  expect(accepts(sessionJoin, { sessionId, agentId: 'a', role: 'initiator' })).toBe(false);
});

test.each([
  [true, { taskId: 't', details: { any: ['thing'] } }],
  [false, { code: '' }],
  [false, { message: '' }],
  [false, { message: undefined }],
  [false, { other: 1 }],
])('it is %s that session_fail takes an error with %j', (isTaken, part) => {
  const error = { code: 'c', message: 'm', ...part };
  expect(accepts(sessionFail, { sessionId, error })).toBe(isTaken);
});
