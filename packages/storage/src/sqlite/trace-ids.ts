import { randomUUID } from 'node:crypto';

/**
 * Makes UUIDs of version 7 that only grow: when the clock is set back, they go on from the last one. Time-ordered keys
 * append to the end of a B-tree; random ones would cost each insert twice as much.
 */
export function createTraceIds(now: () => number): { next(): string; startAfter(id: string): void } {
  let time = 0;
  let counter = 0;
  // Told apart from other processes' by this, and from each other by time and counter.
  const tail = randomUUID().slice(19);
  return {
    next: () => {
      const clock = now();
      if (clock > time) {
        time = clock;
        counter = 0;
      } else if (++counter > 0xfff) {
        time += 1;
        counter = 0;
      }
      return format(time, counter, tail);
    },
    startAfter: (id) => {
      time = Math.max(time, Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0);
      counter = 0xfff;
    },
  };
}

function format(time: number, counter: number, tail: string): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail}`;
}
