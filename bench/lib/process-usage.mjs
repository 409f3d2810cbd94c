import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` counts in. Linux has shown programs this one on every machine since 2.6. */
const TICKS_PER_SECOND = 100;
/** Fields after the name, which is in brackets and may hold spaces. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** CPU seconds of all threads so far, user and system; NaN where there is no /proc. Exact to a hundredth. */
export function cpuSeconds(pid) {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return Number.NaN;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
}

/** CPU seconds of the threads that are alive, to the nanosecond: for what takes less than a tick or two. */
export function fineCpuSeconds(pid) {
  const threads = listProc(pid, 'task').map((thread) => readProc(pid, `task/${thread}/schedstat`) ?? '0');
  return threads.length === 0 ? Number.NaN : threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e9;
}

/** Resident memory in MB (10^6 bytes). */
export function residentMegabytes(pid) {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status') ?? '')?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** How many files, sockets and pipes it has open. */
export const openDescriptors = (pid) => listProc(pid, 'fd').length;

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // It has ended, or this is not Linux.
  }
}

function listProc(pid, folder) {
  try {
    return readdirSync(`/proc/${pid}/${folder}`);
  } catch {
    return [];
  }
}
