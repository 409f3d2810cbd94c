import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningServer } from './http-server.js';
import { inTime } from './raw-socket.js';

/** What the server says of itself under this name. */
export async function metric(server: RunningServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** How many files and sockets a process has open; undefined where the system does not tell. */
export function openDescriptors({ process: { pid } }: RunningServer): number | undefined {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : undefined;
}

/** With this among the arguments of Node, `heapBytes` can look into the server. */
export const INSPECTABLE = '--inspect=127.0.0.1:0';

/** What is still in use of the server's heap after everything else was thrown away. */
export async function heapBytes(server: RunningServer): Promise<number> {
  const socket = new WebSocket(String(/Debugger listening on (ws:\S+)/.exec(server.stderr())?.[1]));
  await inTime('The debugger', new Promise((resolve) => socket.once('open', resolve)));
  const command = (method: string) =>
    new Promise<{ usedSize?: number }>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(data.toString()).result));
      socket.send(JSON.stringify({ id: 1, method }));
    });
  await command('HeapProfiler.collectGarbage');
  const { usedSize = Number.NaN } = await command('Runtime.getHeapUsage');
  socket.terminate();
  return usedSize;
}

/** Nothing happened that was not foreseen, and nobody is being served any more. */
export async function expectCalm(server: RunningServer): Promise<void> {
  expect(server.process.exitCode).toBeNull();
  expect(server.stderr()).not.toMatch(/did not foresee|Warning:|^\s+at /m);
  await expect.poll(() => metric(server, 'automatosx_requests_in_flight'), { timeout: 5000 }).toBe(0);
}

const MAX_GROWTH_BYTES = 8 * 1024 * 1024;

/** The heap is near where it was; what was just freed may take a moment. */
export async function expectHeapNear(server: RunningServer, before: number): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    if ((await heapBytes(server)) - before < MAX_GROWTH_BYTES) return;
    await sleep(300);
  }
  expect(await heapBytes(server)).toBeLessThan(before + MAX_GROWTH_BYTES);
}
