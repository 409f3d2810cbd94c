import type { ChildProcess } from 'node:child_process';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export const REVISIONS: readonly string[];
export function buildServer(): Promise<unknown>;
export function startServer(options?: { port?: number; node?: string }): Promise<{ url: string; child: ChildProcess }>;
export function scenariosOf(revision: string): Promise<readonly string[]>;
export function runSuite(
  url: string,
  revision: string,
): Promise<{ output: string; results: ReadonlyMap<string, readonly Check[]> }>;
export const TASK_SCENARIOS: readonly string[];
export function runScenario(url: string, scenario: string): Promise<{ output: string; checks: readonly Check[] }>;
export function failuresIn(checks: readonly Check[]): readonly Check[];
