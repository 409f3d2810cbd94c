import {
  sessionComplete,
  sessionCreate,
  sessionFail,
  sessionJoin,
  sessionLeave,
  sessionList,
  sessionStatus,
  ToolError,
} from '@automatosx/contracts';
import { implement, type Tool } from '@automatosx/mcp-runtime';
import {
  complete,
  create,
  fail,
  join,
  leave,
  participantOf,
  present,
  type Session,
  type SessionStore,
} from '@automatosx/session-domain';
import { isoTime, paged, pageFrom } from './paging.js';

interface Options {
  readonly sessions: SessionStore;
  readonly now: () => number;
  readonly newId: () => string;
}

export function sessionTools({ sessions, now, newId }: Options): Tool[] {
  const at = () => isoTime(now());
  const update = async (sessionId: string, change: (session: Session) => Session): Promise<Session> =>
    (await sessions.update(sessionId, change)) ?? missing(sessionId);

  return [
    implement(sessionCreate, async (request, { workspace }) => {
      const session = create({ workspace, ...request, sessionId: newId() }, at());
      await sessions.add(session);
      const { sessionId, initiator, task, createdAt } = session;
      return { sessionId, initiator, task, status: 'active' as const, createdAt, workspace: session.workspace };
    }),

    implement(sessionStatus, async ({ sessionId }) => {
      const session = (await sessions.get(sessionId)) ?? missing(sessionId);
      return { ...session, participants: [...session.participants], metadata: session.metadata };
    }),

    implement(sessionList, async (request) => {
      const { status, initiator, workspace } = request;
      const page = pageFrom('session_list', request);
      const listed = await sessions.list({ status, initiator, workspace, page });
      return { sessions: listed.items.map(toSummary), ...paged('session_list', request, listed) };
    }),

    implement(sessionJoin, async ({ sessionId, agentId, role }) => {
      const session = await update(sessionId, (current) => join(current, { agentId, role }, at()));
      const { role: actual, joinedAt } = participantOf(session, agentId) as NonNullable<
        ReturnType<typeof participantOf>
      >;
      return { sessionId, agentId, role: actual, joinedAt, participantCount: present(session).length };
    }),

    implement(sessionLeave, async ({ sessionId, agentId }) => {
      const leftAt = at();
      const session = await update(sessionId, (current) => leave(current, agentId, leftAt));
      return { sessionId, agentId, leftAt, remainingParticipants: present(session).length };
    }),

    implement(sessionComplete, async ({ sessionId, summary }) => {
      const completedAt = at();
      await update(sessionId, (current) => complete(current, summary, completedAt));
      return { sessionId, status: 'completed' as const, completedAt, summary };
    }),

    implement(sessionFail, async ({ sessionId, error }) => {
      const failedAt = at();
      await update(sessionId, (current) => fail(current, error, failedAt));
      return { sessionId, status: 'failed' as const, failedAt, error: { code: error.code, message: error.message } };
    }),
  ];
}

function missing(sessionId: string): never {
  throw new ToolError('SESSION_NOT_FOUND', `There is no session ${sessionId}`, { context: { sessionId } });
}

const toSummary = (session: Session) => ({
  sessionId: session.sessionId,
  initiator: session.initiator,
  task: session.task,
  status: session.status,
  participantCount: present(session).length,
  createdAt: session.createdAt,
  workspace: session.workspace,
});
