import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Another process that does one of `tasks.ts`. */
export interface Child {
  readonly pid: number;
  /** All that it said. */
  readonly lines: readonly string[];
  /** The next thing that it says. */
  line(): Promise<string>;
  /** Lets it go on. */
  tell(): void;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface Children {
  /** Makes one file of `tasks.ts`: for `beforeAll`. */
  prepare(): Promise<void>;
  start(task: string, ...texts: string[]): Child;
  /** Starts a program that starts the task: it gets Node, the file and the texts as arguments. */
  startBy(command: readonly string[], ...texts: string[]): Child;
  /** Ends those that still run: for `afterEach`. */
  clear(): Promise<void>;
  /** For `afterAll`. */
  remove(): void;
}

interface BuildOptions {
  readonly bundle: true;
  readonly platform: 'node';
  readonly format: 'esm';
  readonly target: string;
  readonly external: string[];
  readonly entryPoints: string[];
  readonly outfile: string;
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** `build` is that of esbuild. */
export function children(build: (options: BuildOptions) => Promise<unknown>): Children {
  // Beside the package, so that it finds the same database driver.
  const outfile = pathOf(`../../../.cache/tasks-${process.pid}.mjs`);
  let started: Child[] = [];
  const startBy = ([command = '', ...options]: readonly string[], ...texts: string[]) => {
    const child = toChild(spawn(command, [...options, ...texts]));
    started.push(child);
    return child;
  };
  return {
    startBy: (command, ...texts) => startBy(command, process.execPath, outfile, ...texts),
    start: (...texts) => startBy([process.execPath, outfile], ...texts),
    prepare: async () => {
      const entryPoints = [pathOf('./tasks.ts')];
      const shape = { bundle: true, platform: 'node', format: 'esm', target: 'node20.19' } as const;
      await build({ ...shape, external: ['libsql'], entryPoints, outfile });
    },
    clear: async () => {
      await Promise.all(started.map((child) => child.kill('SIGKILL')));
      started = [];
    },
    remove: () => rmSync(outfile, { force: true }),
  };
}

function toChild(child: ChildProcessWithoutNullStreams): Child {
  const lines: string[] = [];
  let read = 0;
  let isOver = false;
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  child.stderr.on('data', (text) => lines.push(`stderr: ${text}`));
  child.stdin.on('error', () => {}); // It may be gone.
  const ended = once(child, 'close').then(() => {
    isOver = true;
  });
  return {
    pid: child.pid as number,
    lines,
    line: async () => {
      while (lines.length <= read && !isOver) await Promise.race([once(reader, 'line'), ended]);
      return lines[read++] ?? 'It ended';
    },
    tell: () => void child.stdin.write('\n'),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
