import type { Duplex } from 'node:stream';
import type { Log } from '../../log.js';
import { refuseUpgrade } from '../websocket/refuse-upgrade.js';
import { Refusal } from './refusal.js';

/** Answers an upgrade that is not granted. */
export function refuseSocket(socket: Duplex, failure: unknown, log: Log): void {
  const { status, error, options } = toRefusal(failure, log);
  refuseUpgrade(socket, { status, error, ...(options.headers && { headers: options.headers }) });
}

/** What was not foreseen is a bug: it is logged, and the client learns no more than that. */
export function toRefusal(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  log('error', 'An HTTP request failed in a way the server did not foresee', { error });
  return Refusal.bug();
}
