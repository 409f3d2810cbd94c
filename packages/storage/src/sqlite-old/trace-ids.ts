import { randomFillSync } from 'node:crypto';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const random = new Uint8Array(4096);
let used = random.length;

/**
 * Makes UUIDs of version 7 that only grow: when the clock is set back, they go on from the last one. Time-ordered keys
 * append to the end of a B-tree; random ones would cost each insert twice as much.
 */
export function createTraceIds(now: () => number): { next(): string; startAfter(id: string): void } {
  let time = 0;
  let counter = 0;
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
      return format(time, counter);
    },
    startAfter: (id) => {
      time = Math.max(time, Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0);
      counter = 0xfff;
    },
  };
}

function format(time: number, counter: number): string {
  const hex = time.toString(16).padStart(12, '0');
  if (used + 8 > random.length) {
    randomFillSync(random);
    used = 0;
  }
  const [first, ...rest] = random.subarray(used, used + 8);
  used += 8;
  const [second, ...node] = rest.map((byte) => HEX[byte]);
  const variant = HEX[((first as number) & 0x3f) | 0x80];
  const version = `7${counter.toString(16).padStart(3, '0')}`;
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${version}-${variant}${second}-${node.join('')}`;
}
