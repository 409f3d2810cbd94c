import { present, type Session, type SessionStore } from '@automatosx/session-domain';
import { collection, jsonResources, NEWEST } from './json-resources.js';
import type { ResourceSource } from './resource.js';

interface Options {
  readonly sessions: SessionStore;
  /** Another text whenever any session has changed. */
  readonly stamp: () => Promise<string>;
}

/** The sessions that go on now, under both of their names. */
export const sessionResources = ({ sessions, stamp }: Options): ResourceSource =>
  jsonResources(
    ['automatosx://sessions/active', 'sessions://active'].map((uri) => ({
      uri,
      name: 'Active Sessions',
      description: 'The newest sessions that are active, with who takes part',
      read: async () => collection('sessions', await sessions.list({ status: 'active', page: NEWEST }), toShown),
      stamp,
    })),
  );

const toShown = (session: Session) => {
  const { sessionId, status, metadata, ...rest } = session;
  return { sessionId, status, participantCount: present(session).length, ...rest };
};
