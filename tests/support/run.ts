import { spawn } from 'node:child_process';
import { BIN, NODE, temporaryFolder } from './paths.js';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What the program reads; it ends with it. */
  readonly input?: string;
}

/** Runs the program as a user would who types it, to its end. */
export function run(args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Finished> {
  const home = temporaryFolder();
  const child = spawn(NODE, [BIN, ...args], { env: { PATH: process.env.PATH ?? '', HOME: home, ...env } });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  child.stdin.on('error', () => {}).end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...output })));
}
