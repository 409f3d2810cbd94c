import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

const STALE_MS = 24 * 60 * 60 * 1000;

const birth = birthOf(process.pid);

/** Names this process, so that another one can tell later whether it is still there. */
export const thisProcess = [hostname(), process.pid, birth, randomUUID()].join('|');

/**
 * False once the process that called itself this is gone. On another host (containers that share a folder) nobody can
 * tell, so there what it began counts as given up after a day, far beyond the longest call.
 */
export function isAlive(owner: string, work: { readonly begunAt: number; readonly now: number }): boolean {
  if (owner === thisProcess) return true;
  const [host, pid, bornAs] = owner.split('|');
  if (host !== hostname()) return work.now - work.begunAt < STALE_MS;
  if (Number(pid) === process.pid) return false; // Ours now: the one that had the number before is gone.
  return birth === '' ? isRunning(Number(pid)) : bornAs === birthOf(Number(pid));
}

/**
 * When a process began, as Linux counts it: by a clock that nobody sets, and different where a number is used again.
 * Empty if there is no such process, or if the system does not tell.
 */
function birthOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(state) ? '' : `${boot}.${fields[18]}`;
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
