import { type SESSION_ROLES, ToolError } from '@automatosx/contracts';

/** How many may take part at a time, the initiator among them (INV-MCP-SES-003). */
export const MAX_PARTICIPANTS = 10;

export type Role = (typeof SESSION_ROLES)[number];

/** Times are ISO 8601. */
export interface Participant {
  readonly agentId: string;
  readonly role: Role;
  readonly joinedAt: string;
  readonly leftAt?: string;
  readonly taskCount: number;
}

export interface Session {
  readonly sessionId: string;
  readonly status: 'active' | 'completed' | 'failed';
  readonly initiator: string;
  readonly task: string;
  readonly workspace?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly participants: readonly Participant[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string;
  readonly failedAt?: string;
  readonly summary?: string | undefined;
  readonly error?: Readonly<Record<string, unknown>> & { readonly code: string; readonly message: string };
  /** Grows with every change. */
  readonly version: number;
}

type NewSession = Pick<Session, 'sessionId' | 'initiator' | 'task' | 'workspace' | 'metadata'>;

export const create = (request: NewSession, at: string): Session => ({
  ...request,
  status: 'active',
  participants: [{ agentId: request.initiator, role: 'initiator', joinedAt: at, taskCount: 0 }],
  createdAt: at,
  updatedAt: at,
  version: 1,
});

/** Who takes part now. Who left stays listed and no longer counts. */
export const present = (session: Session): readonly Participant[] =>
  session.participants.filter(({ leftAt }) => leftAt === undefined);

export const participantOf = (session: Session, agentId: string): Participant | undefined =>
  session.participants.find((participant) => participant.agentId === agentId);

export function join(session: Session, newcomer: { agentId: string; role: Role }, at: string): Session {
  if (session.status !== 'active') {
    throw new ToolError('SESSION_INVALID_TRANSITION', `Session ${session.sessionId} is ${session.status}`);
  }
  if (present(session).some(({ agentId }) => agentId === newcomer.agentId)) return session;
  if (present(session).length >= MAX_PARTICIPANTS) {
    throw new ToolError(
      'SESSION_MAX_PARTICIPANTS',
      `Session ${session.sessionId} already has ${MAX_PARTICIPANTS} participants`,
    );
  }
  const others = session.participants.filter(({ agentId }) => agentId !== newcomer.agentId);
  const taskCount = participantOf(session, newcomer.agentId)?.taskCount ?? 0;
  return changed(session, at, { participants: [...others, { ...newcomer, joinedAt: at, taskCount }] });
}

export function leave(session: Session, agentId: string, at: string): Session {
  if (!present(session).some((participant) => participant.agentId === agentId)) {
    throw new ToolError('SESSION_NOT_PARTICIPANT', `${agentId} takes no part in session ${session.sessionId}`);
  }
  if (session.status === 'active' && agentId === session.initiator) {
    throw new ToolError(
      'SESSION_INITIATOR_CANNOT_LEAVE',
      `${agentId} opened session ${session.sessionId} and cannot leave it; complete or fail it instead`,
    );
  }
  return changed(session, at, {
    participants: session.participants.map((participant) =>
      participant.agentId === agentId ? { ...participant, leftAt: at } : participant,
    ),
  });
}

export function complete(session: Session, summary: string | undefined, at: string): Session {
  mustBeActive(session);
  return changed(session, at, { status: 'completed', completedAt: at, summary });
}

export function fail(session: Session, error: NonNullable<Session['error']>, at: string): Session {
  mustBeActive(session);
  return changed(session, at, { status: 'failed', failedAt: at, error });
}

function mustBeActive(session: Session): void {
  if (session.status === 'active') return;
  throw new ToolError('SESSION_ALREADY_COMPLETED', `Session ${session.sessionId} is ${session.status} already`);
}

const changed = (session: Session, at: string, changes: Partial<Session>): Session => ({
  ...session,
  ...changes,
  updatedAt: at,
  version: session.version + 1,
});
