import type { Listed, Page } from '@automatosx/contracts';
import type { Session } from './session.js';

/** What the session domain needs from storage, in its own words. */
export interface SessionStore {
  add(session: Session): Promise<void>;
  get(sessionId: string): Promise<Session | undefined>;
  /**
   * Replaces a session by what `change` makes of it, while nobody else can change it. Undefined if there is none.
   * What `change` throws is thrown, and nothing is stored.
   */
  update(sessionId: string, change: (session: Session) => Session): Promise<Session | undefined>;
  /** Newest first. */
  list(query: {
    status?: Session['status'] | undefined;
    initiator?: string | undefined;
    workspace?: string | undefined;
    page: Page;
  }): Promise<Listed<Session>>;
}
