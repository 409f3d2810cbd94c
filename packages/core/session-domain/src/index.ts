export type { Participant, Role, Session } from './session.js';
export { complete, create, fail, join, leave, MAX_PARTICIPANTS, participantOf, present } from './session.js';
export type { SessionStore } from './store.js';
