import { describe, expect, test } from 'vitest';
import { complete, create, fail, join, leave, participantOf, present, type Session } from './session.js';

const NOON = '2026-01-01T12:00:00.000Z';
const LATER = '2026-01-01T13:00:00.000Z';
const EVENING = '2026-01-01T18:00:00.000Z';

const active = create({ sessionId: 'session-1', initiator: 'lead', task: 'Write a plan' }, NOON);
const withWorkers = (count: number): Session =>
  Array.from({ length: count }, (_, index) => `worker ${index}`).reduce(
    (session, agentId) => join(session, { agentId, role: 'collaborator' }, NOON),
    active,
  );
const ended = {
  completed: complete(active, 'Done', LATER),
  failed: fail(active, { code: 'LOST', message: 'Gave up' }, LATER),
};
const names = (session: Session) => present(session).map(({ agentId }) => agentId);
const coded = (toolCode: string) => expect.objectContaining({ code: 'CONFLICT', toolCode });

describe('create', () => {
  test('the initiator is the first participant', () => {
    expect(active).toEqual({
      sessionId: 'session-1',
      initiator: 'lead',
      task: 'Write a plan',
      status: 'active',
      participants: [{ agentId: 'lead', role: 'initiator', joinedAt: NOON, taskCount: 0 }],
      createdAt: NOON,
      updatedAt: NOON,
      version: 1,
    });
  });

  test('keeps workspace and metadata', () => {
    const request = { sessionId: 's', initiator: 'a', task: 't', workspace: '/work', metadata: { ticket: 7 } };
    expect(create(request, NOON)).toMatchObject({ workspace: '/work', metadata: { ticket: 7 } });
  });
});

describe('join', () => {
  test('adds a participant, raises the version and leaves the old session as it was', () => {
    const joined = join(active, { agentId: 'reviewer', role: 'observer' }, LATER);
    expect(participantOf(joined, 'reviewer')).toEqual({
      agentId: 'reviewer',
      role: 'observer',
      joinedAt: LATER,
      taskCount: 0,
    });
    expect([joined.version, joined.updatedAt, joined.createdAt]).toEqual([2, LATER, NOON]);
    expect(names(active)).toEqual(['lead']);
  });

  test.each(['completed', 'failed'] as const)('INV-MCP-SES-001: nobody joins a %s session', (status) => {
    const attempt = () => join(ended[status], { agentId: 'late', role: 'collaborator' }, EVENING);
    expect(attempt).toThrow(coded('SESSION_INVALID_TRANSITION'));
    expect(attempt).toThrow(`Session session-1 is ${status}`);
  });

  test('INV-MCP-SES-001: who is in it already cannot join an ended session either', () => {
    const attempt = () => join(ended.completed, { agentId: 'lead', role: 'initiator' }, EVENING);
    expect(attempt).toThrow(coded('SESSION_INVALID_TRANSITION'));
  });

  test('INV-MCP-SES-002: joining twice keeps the first participation', () => {
    const joined = join(active, { agentId: 'worker', role: 'collaborator' }, LATER);
    expect(join(joined, { agentId: 'worker', role: 'observer' }, EVENING)).toBe(joined);
    expect(join(active, { agentId: 'lead', role: 'observer' }, LATER)).toBe(active);
  });

  test('INV-MCP-SES-003: ten take part, the initiator among them, and an eleventh cannot', () => {
    const full = withWorkers(9);
    expect(names(full)).toHaveLength(10);
    const attempt = () => join(full, { agentId: 'eleventh', role: 'collaborator' }, LATER);
    expect(attempt).toThrow(coded('SESSION_MAX_PARTICIPANTS'));
    expect(attempt).toThrow('Session session-1 already has 10 participants');
  });

  test('INV-MCP-SES-003: who takes part may join a full session again', () => {
    const full = withWorkers(9);
    expect(join(full, { agentId: 'worker 3', role: 'observer' }, LATER)).toBe(full);
  });

  test('who leaves makes room for one, and then nobody comes back in', () => {
    const left = leave(withWorkers(9), 'worker 0', LATER);
    const refilled = join(left, { agentId: 'eleventh', role: 'specialist' }, LATER);
    expect(names(refilled)).toHaveLength(10);
    expect(refilled.participants).toHaveLength(11);
    const attempt = () => join(refilled, { agentId: 'worker 0', role: 'collaborator' }, EVENING);
    expect(attempt).toThrow(coded('SESSION_MAX_PARTICIPANTS'));
  });

  test('joining again after leaving clears the leaving, takes the new role and keeps the count of tasks', () => {
    const worked: Session = {
      ...withWorkers(1),
      participants: withWorkers(1).participants.map((participant) => ({ ...participant, taskCount: 7 })),
    };
    const back = join(leave(worked, 'worker 0', LATER), { agentId: 'worker 0', role: 'specialist' }, EVENING);
    expect(back.participants.filter(({ agentId }) => agentId === 'worker 0')).toEqual([
      { agentId: 'worker 0', role: 'specialist', joinedAt: EVENING, taskCount: 7 },
    ]);
    expect(names(back)).toEqual(['lead', 'worker 0']);
  });

  test('a name like __proto__ is one like any other', () => {
    const joined = join(active, { agentId: '__proto__', role: 'observer' }, LATER);
    expect(names(joined)).toEqual(['lead', '__proto__']);
    expect(participantOf(active, '__proto__')).toBeUndefined();
  });
});

describe('leave', () => {
  test('who left stays listed, with the time, and no longer takes part', () => {
    const left = leave(withWorkers(2), 'worker 1', LATER);
    expect(participantOf(left, 'worker 1')).toMatchObject({ leftAt: LATER, joinedAt: NOON });
    expect(names(left)).toEqual(['lead', 'worker 0']);
    expect([left.version, left.updatedAt]).toEqual([4, LATER]);
  });

  test('INV-MCP-SES-004: who does not take part cannot leave', () => {
    const attempt = () => leave(active, 'stranger', LATER);
    expect(attempt).toThrow(coded('SESSION_NOT_PARTICIPANT'));
    expect(attempt).toThrow('stranger takes no part in session session-1');
  });

  test('INV-MCP-SES-004: who left cannot leave again', () => {
    const left = leave(withWorkers(1), 'worker 0', LATER);
    expect(() => leave(left, 'worker 0', EVENING)).toThrow(coded('SESSION_NOT_PARTICIPANT'));
  });

  test('INV-MCP-SES-005: the initiator cannot leave an active session', () => {
    const attempt = () => leave(withWorkers(3), 'lead', LATER);
    expect(attempt).toThrow(coded('SESSION_INITIATOR_CANNOT_LEAVE'));
    expect(attempt).toThrow('complete or fail it instead');
  });

  test.each(['completed', 'failed'] as const)('everybody may leave a %s session, the initiator too', (status) => {
    expect(present(leave(ended[status], 'lead', EVENING))).toEqual([]);
  });
});

describe('end', () => {
  test('completing keeps summary and time', () => {
    const { completed } = ended;
    expect(completed).toMatchObject({ status: 'completed', completedAt: LATER, updatedAt: LATER, version: 2 });
    expect([completed.summary, completed.failedAt, completed.error]).toEqual(['Done', undefined, undefined]);
    expect(complete(active, undefined, LATER).summary).toBeUndefined();
  });

  test('failing keeps error and time', () => {
    const { failed } = ended;
    expect(failed).toMatchObject({ status: 'failed', failedAt: LATER, updatedAt: LATER, version: 2 });
    expect([failed.error, failed.completedAt]).toEqual([{ code: 'LOST', message: 'Gave up' }, undefined]);
  });

  test.each(['completed', 'failed'] as const)('a %s session is neither completed nor failed again', (status) => {
    const session = ended[status];
    for (const attempt of [
      () => complete(session, 'Again', EVENING),
      () => fail(session, { code: 'AGAIN', message: 'Again' }, EVENING),
    ]) {
      expect(attempt).toThrow(coded('SESSION_ALREADY_COMPLETED'));
      expect(attempt).toThrow(`Session session-1 is ${status} already`);
    }
  });

  test('the participants stay as they were', () => {
    expect(complete(withWorkers(2), undefined, LATER).participants).toEqual(withWorkers(2).participants);
  });
});
