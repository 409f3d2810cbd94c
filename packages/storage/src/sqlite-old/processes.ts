import { randomUUID } from 'node:crypto';
import { hostname, uptime } from 'node:os';

const STALE_MS = 24 * 60 * 60 * 1000;

/** Names this process, so that another one can tell later whether it is still there. */
export const thisProcess = [hostname(), process.pid, Date.now(), randomUUID()].join('|');

/**
 * False once the process that called itself this is gone. On another host (containers that share a folder) nobody can
 * tell, so there it counts as gone after a day, far beyond the longest call.
 */
export function isAlive(owner: string, now: number): boolean {
  if (owner === thisProcess) return true;
  const [host, pid, startedAt] = owner.split('|');
  if (host !== hostname()) return now - Number(startedAt) < STALE_MS;
  if (Number(pid) === process.pid) return false; // Ours now: the one that had the number before is gone.
  if (Number(startedAt) < now - uptime() * 1000) return false; // Before the machine started.
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
