import type { Session, SessionStore } from '@automatosx/session-domain';
import { raise } from './changes.js';
import type { Database } from './database.js';
import type { Connection, Row } from './driver.js';
import { all, countRows, equals, listRows } from './filter.js';

export function sqliteSessionStore(database: Database): SessionStore {
  return {
    add: (session) =>
      database.write((connection) => {
        connection.run(
          'INSERT INTO sessions (session_id, status, initiator, workspace, version, document) VALUES (?, ?, ?, ?, ?, ?)',
          ...[session.sessionId, session.status, session.initiator, session.workspace ?? null, session.version],
          JSON.stringify(session),
        );
        raise(connection, 'sessions');
      }),

    get: (sessionId) => database.read((connection) => find(connection, sessionId)),

    update: (sessionId, change) =>
      database.write((connection) => {
        const before = find(connection, sessionId);
        if (!before) return undefined;
        const after = change(before);
        if (after !== before) replace(connection, after);
        return after;
      }),

    list: ({ status, initiator, workspace, page }) =>
      database.read((connection) => {
        const filter = all([equals('status', status), equals('initiator', initiator), equals('workspace', workspace)]);
        const listing = {
          columns: 'seq, document',
          table: 'sessions',
          key: 'seq',
          order: 'DESC',
          filter,
          page,
        } as const;
        const { items, next } = listRows(connection, listing);
        return { items: items.map(toSession), total: countRows(connection, 'sessions', filter), next };
      }),
  };
}

function find(connection: Connection, sessionId: string): Session | undefined {
  const row = connection.get('SELECT document FROM sessions WHERE session_id = ?', sessionId);
  return row && toSession(row);
}

function replace(connection: Connection, session: Session): void {
  connection.run(
    'UPDATE sessions SET status = ?, version = ?, document = ? WHERE session_id = ?',
    ...[session.status, session.version, JSON.stringify(session), session.sessionId],
  );
  raise(connection, 'sessions');
}

const toSession = ({ document }: Row): Session => JSON.parse(String(document));
