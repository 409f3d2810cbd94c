import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Message } from './message.js';
import { TestClient, type TestClientOptions } from './test-client.js';

/** A client whose server ends with the test. */
export async function started(options: TestClientOptions = {}): Promise<TestClient> {
  const client = await TestClient.start(options);
  onTestFinished(() => client.kill());
  return client;
}

/** All answers with this id; one, if the server does right. */
export const answersTo = ({ messages }: TestClient, id: string | number | null): Message[] =>
  messages.filter((message) => message.id === id && message.method === undefined);

/** What the server's process holds in memory. */
export const residentMegabytes = ({ process }: TestClient): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Messages as they go over the wire, to be sent in one write. */
export const linesOf = (...messages: object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');
